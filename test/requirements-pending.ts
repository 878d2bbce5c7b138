import type { RequirementId } from './requirements.ts';

/**
 * The rules that nothing covers yet. Remove the id of a rule when a test cites it by `proves('…')` or a decision settles it by `Settles: …`:
 * `requirements.test.ts` fails if it is still here.
 */
export const pending: readonly RequirementId[] = [];

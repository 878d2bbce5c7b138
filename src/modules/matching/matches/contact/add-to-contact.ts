import type { CallerWithRole } from '#platform/operation.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Match } from '../store.ts';
import { upsertMatchContact } from './store.ts';

/**
 * Records who is interested in the member of a match, and the organisation's note. A platform administrator acts for the organisation, but is not its
 * contact person.
 */
export function recordInterest(
  caller: CallerWithRole<'org_admin' | 'platform_admin'>,
  tx: Transaction,
  match: Match,
  note: string | null | undefined,
): void {
  const contact_user_id = caller.role === 'org_admin' ? caller.user_id : null;
  upsertMatchContact(tx, match, contact_user_id, note);
}

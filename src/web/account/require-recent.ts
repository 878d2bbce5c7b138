import { requireRecentAuthentication } from '#lib/caller.ts';
import type { Visit } from '../serving/page.ts';

/**
 * Sends the visitor to the page that confirms who they are before they fill in a form that would need it. The operation behind the form
 * checks it again.
 *
 * @throws Refusal `recent_authentication_required`.
 */
export function requireRecent({ caller, now }: Visit): void {
  if (caller.role !== 'anonymous') requireRecentAuthentication(caller, now);
}

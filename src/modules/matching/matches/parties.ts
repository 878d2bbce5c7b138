import { findLinkedEntityId, type LoggedInCaller } from '#lib/caller.ts';
import type { Match } from './store.ts';

/** Says whether the caller is the member of a match or acts for its organisation. A platform administrator is neither. */
export function isParty(
  caller: LoggedInCaller,
  { member_id, org_id }: Pick<Match, 'member_id' | 'org_id'>,
): boolean {
  const entity_id = findLinkedEntityId(caller);
  return entity_id === member_id || entity_id === org_id;
}

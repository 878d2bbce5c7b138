import type { Services } from '#platform/platform.ts';
import { computeAlias } from '../alias.ts';
import type { Match } from '../store.ts';

/** Builds the data of an event of a match. Before the member has accepted, the organisation knows the member by an alias. */
export function buildEventData(
  services: Pick<Services, 'memory' | 'secrets'>,
  match: Pick<Match, 'id' | 'job_id' | 'org_id' | 'member_id' | 'version'>,
  isAccepted: boolean,
) {
  const { id: match_id, job_id, org_id, member_id } = match;
  const shown_member_id = isAccepted ? member_id : computeAlias(services, match);
  return { match_id, job_id, org_id, member_id, shown_member_id };
}

import * as matching from '#modules/matching';
import type { Task } from '#platform/queue/task.ts';

/** TABLE 4: what happens, and which tasks hear of it. A listener's data is the event's data. */
export const eventTable: Readonly<Record<string, readonly Task[]>> = {
  'culture.published': [matching.computeOrganisationMatches],
  'job.activated': [matching.reopenJob],
  'job.changed': [matching.computeJobMatches],
  'job.closed': [matching.expireMatches],
  'job.created': [matching.computeJobMatches],
  'match.accepted': [],
  'match.declined': [],
  'match.proposed': [],
  'traits.measured': [matching.computeMemberMatches],
  'member.changed': [matching.computeMemberMatches],
  'member.deployed': [matching.computeMemberMatches],
  'member.undeployed': [matching.computeMemberMatches],
  'attestation.issued': [],
  'attestation.revoked': [],
};

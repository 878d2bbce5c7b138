import * as matching from '#modules/matching';
import type { Task } from '#platform/task.ts';

/** TABLE 4: what happens, and which tasks hear of it. A listener's data is the event's data. */
export const eventTable: Readonly<Record<string, readonly Task[]>> = {
  'job.created': [matching.computeJobMatches],
  'traits.measured': [matching.computeMemberMatches],
  'member.deployed': [matching.computeMemberMatches],
  'member.undeployed': [matching.computeMemberMatches],
  'attestation.issued': [],
  'attestation.revoked': [],
};

import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findFollowing } from './store.ts';
import { followingWire } from './wire.ts';

export const readFollowing = operation({
  name: 'jobs.readFollowing',
  title: 'Read whether you follow a job',
  summary: 'Reads whether the caller follows a job of the organisation.',
  who: orgRoles,
  input: Type.Object({ job_id: uuid }),
  output: { 200: followingWire },
  etag: true,
  refuses: ['job_not_found'],
  run: async ({ database, caller }, { job_id }) => {
    const { org_id, user_id } = caller;
    const found = requireFound(await findFollowing(database, org_id, { job_id, user_id }), 'job_not_found');
    return found;
  },
});

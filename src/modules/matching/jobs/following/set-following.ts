import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { requireFound } from '#lib/refusal.ts';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { lockOrganisationJob } from '../store.ts';
import { deleteFollower, insertFollower, isFollower } from './store.ts';
import { followingInput, followingWire } from './wire.ts';

export const setFollowing = operation({
  name: 'jobs.setFollowing',
  title: 'Follow a job or stop',
  summary:
    'Makes the caller follow a job of the organisation, or stop following it. Followers are emailed when a member accepts or declines. The creator of a job follows it.',
  who: orgRoles,
  input: Type.Object({ job_id: uuid, ...followingInput }),
  output: { 200: followingWire },
  etag: true,
  refuses: ['job_not_found'],
  run: (context, { job_id, following }) =>
    context.transaction(async (tx) => {
      const { org_id, user_id } = context.caller;
      // Serialises the requests of one user, even while there is no follower to lock.
      const job = requireFound(await lockOrganisationJob(tx, org_id, job_id), 'job_not_found');
      const key = { job_id: job.id, user_id };
      await checkIfMatch(context.request, async () => ({
        job_id: job.id,
        following: await isFollower(tx, key),
      }));
      if (following) insertFollower(tx, key);
      else deleteFollower(tx, key);
      return { job_id: job.id, following };
    }),
});

import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { computeJobMatches } from '../computing/compute-job-matches.ts';
import { expireMatches } from './expire-matches.ts';
import { matchStatuses } from '../rules.ts';
import {
  fillMeans,
  fillSlots,
  createJob,
  insertMembers,
  runTask,
  forceMatchStatus,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();
await insertMembers(
  app,
  matchStatuses.map(() => ({ mean: fillMeans(tierMeans.strong), variance: fillSlots(0.15) })),
);

/** Creates a job with one match in every status. @returns the job and the statuses by match id. */
async function createJobWithAllStatuses() {
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const matches = await listStoredMatches(app, job_id);
  const before = new Map(matches.map(({ id }, index) => [id, matchStatuses[index]!]));
  for (const [id, status] of before) await forceMatchStatus(app, id, status);
  return { job_id, before };
}

const setJobStatus = (job_id: string, status: string) =>
  app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body: { status } });

const readStatuses = async (job_id: string) =>
  new Map((await listStoredMatches(app, job_id)).map(({ id, match_status }) => [id, match_status]));

const openStatuses = new Set(['pending_review', 'org_interested', 'member_accepted']);

test('when a job is closed, its open matches expire and decided matches do not change', async () => {
  const { job_id, before } = await createJobWithAllStatuses();
  await app.request('DELETE', `/orgs/me/jobs/${job_id}`, { token: org.token });
  await app.drainQueue();
  const expected = new Map<string, string>(before);
  for (const [id, status] of before) if (openStatuses.has(status)) expected.set(id, 'expired');
  expect(await readStatuses(job_id)).toEqual(expected);
  const events = await app.sql.list(sql<{ type: string; match_id: string | null }>`
    select type, data->>'match_id' as match_id from events
    where type in ('job.closed', 'match.expired') and data->>'job_id' = ${job_id} order by type`);
  expect(events.map(({ type, match_id }) => [type, before.get(match_id ?? '')])).toEqual(
    expect.arrayContaining([
      ['job.closed', undefined],
      ['match.expired', 'org_interested'],
      ['match.expired', 'member_accepted'],
    ]),
  );
  expect(events).toHaveLength(3);
});

test('setting a job to draft does not change its matches', async () => {
  const { job_id, before } = await createJobWithAllStatuses();
  await setJobStatus(job_id, 'draft');
  await app.drainQueue();
  expect(await readStatuses(job_id)).toEqual(before);
  await setJobStatus(job_id, 'closed');
  await app.drainQueue();
  expect([...(await readStatuses(job_id)).values()]).not.toContain('pending_review');
});

test('when a closed job is reopened, only members whose match expired before anyone had acted on it are matched again', async () => {
  const { job_id, before } = await createJobWithAllStatuses();
  await setJobStatus(job_id, 'closed');
  await app.drainQueue();
  await setJobStatus(job_id, 'active');
  await app.drainQueue();
  const after = await readStatuses(job_id);
  const [unseen] = [...before].find(([, status]) => status === 'pending_review')!;
  expect(after.has(unseen)).toBe(false);
  const fresh = [...after].filter(([id]) => !before.has(id));
  expect(fresh.map(([, status]) => status)).toEqual(['pending_review']);
  for (const [id, status] of [...before].filter(([id]) => id !== unseen))
    expect(after.get(id)).toBe(openStatuses.has(status) ? 'expired' : status);
});

test('an ended match that is kept is pending again with its job, and its organisation receives an event', async () => {
  const { job_id, before } = await createJobWithAllStatuses();
  const [kept] = [...before].find(([, status]) => status === 'pending_review')!;
  await app.sql.run(sql`update matches set is_kept = true where id = ${kept}`);
  await setJobStatus(job_id, 'closed');
  await app.drainQueue();
  await setJobStatus(job_id, 'active');
  await app.drainQueue();
  expect((await readStatuses(job_id)).get(kept)).toBe('pending_review');
  const events = await app.sql.list(sql<{ match_id: string; reopened_from: string; is_alias: boolean }>`
    select data->>'match_id' as match_id, data->>'reopened_from' as reopened_from,
      data->>'member_id' <> data->>'shown_member_id' as is_alias
    from events where type = 'match.reopened' and data->>'job_id' = ${job_id}`);
  expect(events).toEqual([{ match_id: kept, reopened_from: 'expired', is_alias: true }]);
});

test('a delayed task for a closed job expires nothing after the job was reopened', async () => {
  const { job_id, before } = await createJobWithAllStatuses();
  await runTask(app, expireMatches, { job_id, org_id: unknownId });
  expect(await readStatuses(job_id)).toEqual(before);
});

test('a computation does not reopen a match that was declined, withdrawn or has ended otherwise', async () => {
  const { job_id, before } = await createJobWithAllStatuses();
  app.clock.advance(60_000);
  await runTask(app, computeJobMatches, { job_id, org_id: unknownId });
  const after = await readStatuses(job_id);
  for (const [id, status] of before) expect([id, after.get(id)]).toEqual([id, status]);
});

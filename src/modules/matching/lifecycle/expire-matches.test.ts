import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { computeJobMatches } from '../computing/compute-job-matches.ts';
import { expireMatches } from './expire-matches.ts';
import { matchStatuses } from './rules.ts';
import {
  fillSlots,
  createJob,
  insertMembers,
  runTask,
  forceMatchStatus,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
beforeAll(async () => {
  app = await startApp();
  org = await app.registerOrgAdmin();
  await insertMembers(
    app,
    matchStatuses.map(() => ({ mean: fillSlots(tierMeans.strong), variance: fillSlots(0.15) })),
  );
});

/** A job with one match in every status; @returns them by member, as they will be found again. */
async function jobWithAll() {
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const matches = await listStoredMatches(app, job_id);
  const before = new Map(matches.map(({ id }, place) => [id, matchStatuses[place]!]));
  for (const [id, status] of before) await forceMatchStatus(app, id, status);
  return { job_id, before };
}

const set = (job_id: string, status: string) =>
  app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body: { status } });

const statuses = async (job_id: string) =>
  new Map((await listStoredMatches(app, job_id)).map(({ id, match_status }) => [id, match_status]));

const open = new Set(['pending_review', 'org_interested', 'member_accepted']);

test('when a job closes, its open matches expire, and what was decided stays', async () => {
  const { job_id, before } = await jobWithAll();
  await app.request('DELETE', `/orgs/me/jobs/${job_id}`, { token: org.token });
  await app.drainQueue();
  const expected = [...before].map(([id, status]) => [id, open.has(status) ? 'expired' : status]);
  expect(await statuses(job_id)).toEqual(new Map(expected as [string, string][]));
});

test('a job set back to draft keeps its matches as they are', async () => {
  const { job_id, before } = await jobWithAll();
  await set(job_id, 'draft');
  await app.drainQueue();
  expect(await statuses(job_id)).toEqual(before);
  await set(job_id, 'closed');
  await app.drainQueue();
  expect([...(await statuses(job_id)).values()]).not.toContain('pending_review');
});

test('when a closed job is active again, whoever expired before anybody had acted is matched anew, and nobody else', async () => {
  const { job_id, before } = await jobWithAll();
  await set(job_id, 'closed');
  await app.drainQueue();
  await set(job_id, 'active');
  await app.drainQueue();
  const after = await statuses(job_id);
  const [unseen] = [...before].find(([, status]) => status === 'pending_review')!;
  expect(after.has(unseen)).toBe(false);
  const fresh = [...after].filter(([id]) => !before.has(id));
  expect(fresh.map(([, status]) => status)).toEqual(['pending_review']);
  for (const [id, status] of [...before].filter(([id]) => id !== unseen))
    expect(after.get(id)).toBe(open.has(status) ? 'expired' : status);
});

test('a closing that comes after the opening ends nothing', async () => {
  const { job_id, before } = await jobWithAll();
  await runTask(app, expireMatches, { job_id });
  expect(await statuses(job_id)).toEqual(before);
});

test('a computation brings no match back that was declined, withdrawn or has ended otherwise', async () => {
  const { job_id, before } = await jobWithAll();
  app.clock.advance(60_000);
  await runTask(app, computeJobMatches, { job_id });
  const after = await statuses(job_id);
  for (const [id, status] of before) expect([id, after.get(id)]).toEqual([id, status]);
});

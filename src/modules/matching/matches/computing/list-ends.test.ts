import { beforeAll, expect, test } from 'vitest';
import { shortlistLimits } from '#modules/matching/engine';
import { recordMemberSuspension } from '#modules/people/members';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  insertMembers,
  listStoredMatches,
  remeasureMember,
  runTask,
  tierMeans,
} from '#test/modules/matching.ts';
import { computeJobMatches } from './compute-job-matches.ts';
import { computeMemberMatches } from './compute-member-matches.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
beforeAll(async () => {
  app = await startApp();
  org = await app.registerOrgAdmin();
  await insertMembers(app, Array.from({ length: shortlistLimits.matches }, createStrong));
  // The first policy was in use since the time of the world, which is later than the clock of the tests.
  await app.sql.run(sql`
    insert into fit_policy_uses (number, version, action, used_at)
    select max(number) + 1, 1, 'promote', ${app.clock.now()} from fit_policy_uses`);
  app.clock.advance(1_000);
});

const createVector = (mean: number, codes?: Parameters<typeof fillMeans>[1]) => ({
  mean: fillMeans(mean, codes),
  variance: fillSlots(0.15),
});
const [moderate, exceptional] = [createVector(tierMeans.moderate), createVector(tierMeans.exceptional)];
/** Strong, each a little better than the one before. */
const createStrong = (_: unknown, place: number) => createVector(tierMeans.strong + place / 1e4);

/** Adds members, and computes their matches. @returns those who are on the list of the job, by its rules or to fill their own. */
async function computeArrivals(job_id: string, ...vectors: readonly ReturnType<typeof createVector>[]) {
  const ids = await insertMembers(app, vectors);
  app.clock.advance(1_000);
  for (const member_id of ids) await runTask(app, computeMemberMatches, { member_id });
  const rows = await app.sql.list(sql<{ member_id: string; fills_list: boolean }>`
    select member_id, fills_list from matches where job_id = ${job_id} and member_id = any(${ids}::uuid[])`);
  const found = new Map(rows.map(({ member_id, fills_list }) => [member_id, fills_list]));
  return { ids, found: ids.map((id) => (found.has(id) ? (found.get(id) ? 'fills' : 'listed') : 'absent')) };
}

async function computeJob(job_id: string) {
  app.clock.advance(1_000);
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
}

const readEnd = async (job_id: string) =>
  (
    await app.sql.one(
      sql<{
        list_end: { tier: number; suitability: number } | null;
      }>`select list_end from jobs where id = ${job_id}`,
    )
  ).list_end;

async function countListed(job_id: string): Promise<number> {
  const { count } = await app.sql.one(
    sql<{ count: number }>`select count(*) from matches where job_id = ${job_id} and not fills_list`,
  );
  return count;
}

test('whom a full list would leave out enters it only if nothing else is on their own, and stays until the job changes', async () => {
  const [job_id, other] = [
    await createJob(app, org.token),
    await createJob(app, org.token, { sincerity: 1 }),
  ];
  await app.drainQueue();
  expect(await readEnd(job_id)).toMatchObject({ tier: 1 });
  const nearlyLast = createVector(tierMeans.strong - 0.05);
  const { ids, found } = await computeArrivals(job_id, nearlyLast, moderate, exceptional);
  expect(found).toEqual(['fills', 'fills', 'listed']);
  expect(await countListed(job_id)).toBe(shortlistLimits.matches);
  // A further one who is listed shortens the list, and takes nothing from those whose own list would be empty.
  expect((await computeArrivals(job_id, exceptional)).found).toEqual(['listed']);
  await computeJob(job_id);
  const listOthers = async (id: string) =>
    (await listStoredMatches(app, id)).filter(({ member_id }) => ids.slice(0, 2).includes(member_id));
  expect(await listOthers(job_id)).toHaveLength(2);
  expect(await countListed(job_id)).toBe(shortlistLimits.matches);
  await app.request('PATCH', `/orgs/me/jobs/${job_id}`, {
    token: org.token,
    body: { trait_priorities: { persistence: 1, sincerity: 0.1 } },
  });
  app.clock.advance(1_000);
  await app.drainQueue();
  expect(await listOthers(job_id)).toEqual([]);
  for (const id of [job_id, other]) await app.request('DELETE', `/orgs/me/jobs/${id}`, { token: org.token });
  await app.drainQueue();
});

test('a list without a change is not stored again, although other matches fill the lists of their members', async () => {
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  await computeArrivals(job_id, moderate);
  await computeJob(job_id);
  const readTime = () => app.sql.one(sql`select matches_computed_at, xmin from jobs where id = ${job_id}`);
  const before = await readTime();
  await computeJob(job_id);
  expect(await readTime()).toEqual(before);
});

test('a match that filled the list of its member, and that a computation of the job chooses, counts on the list', async () => {
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const { ids, found } = await computeArrivals(job_id, moderate);
  expect(found).toEqual(['fills']);
  await remeasureMember(app, ids[0]!, tierMeans.exceptional);
  await computeJob(job_id);
  expect(await countListed(job_id)).toBe(shortlistLimits.matches);
  const filling = sql`select from matches where job_id = ${job_id} and member_id = ${ids[0]!} and fills_list`;
  expect(await app.sql.list(filling)).toEqual([]);
});

test('a list that had room and becomes too long has an end soon', async () => {
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  await app.sql.run(sql`update jobs set list_end = null where id = ${job_id}`);
  await computeArrivals(job_id, exceptional);
  await app.drainQueue();
  expect(await readEnd(job_id)).toMatchObject({ tier: 1 });
  expect(await countListed(job_id)).toBe(shortlistLimits.matches);
});

test('a member who was compared with the earlier end, while a computation finds a lower one, is on the list in the end', async () => {
  const job_id = await createJob(app, org.token);
  // With room, so that the list of a member who fits it is never empty.
  await createJob(app, org.token, { sincerity: 1 });
  await app.drainQueue();
  const end = await readEnd(job_id);
  for (const { member_id } of (await listStoredMatches(app, job_id)).slice(0, 5))
    await app.sql.transaction((tx) => recordMemberSuspension(app.platform, tx, member_id, true));
  let late: Awaited<ReturnType<typeof computeArrivals>> | undefined;
  const database: typeof app.platform.database = {
    ...app.platform.database,
    // The list is computed, and stored after somebody arrived.
    transaction: async (work) => {
      late ??= await computeArrivals(
        job_id,
        createVector(tierMeans.strong - 0.03, ['persistence', 'sincerity']),
      );
      return app.platform.database.transaction(work);
    },
  };
  app.clock.advance(1_000);
  const context = {
    ...app.platform,
    database,
    now: app.clock.now,
    signal: new AbortController().signal,
    reportProgress: async () => undefined,
  };
  await computeJobMatches.run(context, { job_id, org_id: org.org_id });
  expect(late?.found).toEqual(['absent']);
  await app.drainQueue();
  expect((await readEnd(job_id))!.suitability).toBeLessThan(end!.suitability);
  const stored = await listStoredMatches(app, job_id);
  expect(stored.map(({ member_id }) => member_id)).toContain(late!.ids[0]);
});

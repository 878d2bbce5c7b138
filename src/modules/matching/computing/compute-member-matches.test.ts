import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { filledProfile } from '#test/users.ts';
import { sql } from '#platform/database/database.ts';
import { computeJobMatches } from './compute-job-matches.ts';
import { computeMemberMatches } from './compute-member-matches.ts';
import { createNormalPopulation } from '#test/modules/random-population.ts';
import { shortlistLimits } from '../engine/shortlist.ts';
import {
  fillSlots,
  createJob,
  insertMembers,
  remeasureMember,
  runTask,
  forceMatchStatus,
  listStoredMatches,
  tierMeans,
  type StoredMatch,
} from '#test/modules/matching.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
beforeAll(async () => {
  app = await startApp();
  org = await app.registerOrgAdmin();
});

const member = (tier: keyof typeof tierMeans) =>
  app.registerDeployedMember({ mean: fillSlots(tierMeans[tier]) });

async function matchOf(job_id: string, member_id: string): Promise<StoredMatch | undefined> {
  return (await listStoredMatches(app, job_id)).find((match) => match.member_id === member_id);
}

const consent = (token: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'matching', granted, version: '1' },
  });

test('who is deployed is matched with the jobs that are there, from moderate upwards', async () => {
  const jobs = [await createJob(app, org.token), await createJob(app, org.token, { sincerity: 0.4 })];
  await app.drainQueue();
  for (const tier of ['exceptional', 'strong', 'moderate', 'developing', 'none'] as const) {
    const { member_id } = await member(tier);
    await app.drainQueue();
    const expected = tier === 'developing' || tier === 'none' ? undefined : tier;
    for (const job_id of jobs) expect((await matchOf(job_id, member_id))?.match_quality).toBe(expected);
  }
});

test('a member’s own computation gives the labels that the job’s computation gives', async () => {
  const job_id = await createJob(app, org.token, {
    empathic_attunement: 1,
    persistence: 0.3,
    fair_dealing: 0.9,
  });
  await app.drainQueue();
  const ids = await insertMembers(app, createNormalPopulation(60, 29).members);
  for (const member_id of ids) await runTask(app, computeMemberMatches, { member_id });
  const own = await listStoredMatches(app, job_id);
  await runTask(app, computeJobMatches, { job_id });
  const jobs = new Map((await listStoredMatches(app, job_id)).map((match) => [match.member_id, match]));
  expect(own.length).toBeGreaterThan(5);
  for (const match of own) expect(jobs.get(match.member_id)).toEqual(match);
  const added = [...jobs.values()].filter(({ id }) => own.every((match) => match.id !== id));
  expect(new Set(added.map(({ match_quality }) => match_quality))).toEqual(new Set(['developing']));
});

test('jobs that are not active stay out', async () => {
  const job_id = await createJob(app, org.token);
  await app.sql.run(sql`update jobs set status = 'closed' where id = ${job_id}`);
  const { member_id } = await member('strong');
  await app.drainQueue();
  expect(await matchOf(job_id, member_id)).toBeUndefined();
});

test('who withdraws consent has every open match withdrawn; what was decided stays', async () => {
  const person = await member('strong');
  const statuses = [
    'pending_review',
    'org_interested',
    'member_accepted',
    'org_passed',
    'member_declined',
    'placed',
  ];
  const jobs: string[] = [];
  for (const _ of statuses) jobs.push(await createJob(app, org.token));
  await app.drainQueue();
  for (const [index, job_id] of jobs.entries()) {
    await forceMatchStatus(app, (await matchOf(job_id, person.member_id))!.id, statuses[index]!);
  }
  await consent(person.token, false);
  await app.drainQueue();
  const after = await Promise.all(
    jobs.map(async (job_id) => (await matchOf(job_id, person.member_id))?.match_status),
  );
  expect(after).toEqual(['withdrawn', 'withdrawn', 'withdrawn', 'org_passed', 'member_declined', 'placed']);
});

test('who comes back is matched anew where nobody had acted, and nothing that had ended comes back', async () => {
  const person = await member('strong');
  const [untouched, acted] = [await createJob(app, org.token), await createJob(app, org.token)];
  await app.drainQueue();
  const before = await matchOf(untouched, person.member_id);
  await forceMatchStatus(app, (await matchOf(acted, person.member_id))!.id, 'org_interested');
  await consent(person.token, false);
  await app.drainQueue();
  const ended = await matchOf(acted, person.member_id);
  await consent(person.token, true);
  await app.drainQueue();
  const anew = await matchOf(untouched, person.member_id);
  expect(anew).toMatchObject({ match_status: 'pending_review', match_quality: 'strong' });
  expect(anew?.id).not.toBe(before?.id);
  expect(await matchOf(acted, person.member_id)).toEqual(ended);
  expect(ended?.match_status).toBe('withdrawn');
});

test('an emptied profile withdraws as well', async () => {
  const person = await member('strong');
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  await app.request('PUT', '/members/me/profile', {
    token: person.token,
    body: { ...filledProfile, current_industry: null },
  });
  await app.drainQueue();
  expect((await matchOf(job_id, person.member_id))?.match_status).toBe('withdrawn');
});

test('a new measurement gives open matches new labels, and a pending one of a poor fit goes', async () => {
  const { member_id } = await member('strong');
  const [first, second] = [await createJob(app, org.token), await createJob(app, org.token)];
  await app.drainQueue();
  await forceMatchStatus(app, (await matchOf(second, member_id))!.id, 'org_interested');
  const expected = [
    ['exceptional', 'exceptional', 'exceptional'],
    ['developing', 'developing', 'developing'],
    ['none', undefined, 'developing'],
  ] as const;
  for (const [tier, ofFirst, ofSecond] of expected) {
    app.clock.advance(1_000);
    await remeasureMember(app, member_id, tierMeans[tier]);
    await runTask(app, computeMemberMatches, { member_id });
    expect((await matchOf(first, member_id))?.match_quality).toBe(ofFirst);
    expect(await matchOf(second, member_id)).toMatchObject({
      match_quality: ofSecond,
      match_status: 'org_interested',
    });
  }
});

test('a full shortlist takes a better member and lets one of its lowest tier go', async () => {
  const fresh = await startApp();
  const { token } = await fresh.registerOrgAdmin();
  const crowd = { mean: fillSlots(tierMeans.moderate), variance: fillSlots(0.15) };
  await insertMembers(
    fresh,
    Array.from({ length: shortlistLimits.matches }, () => crowd),
  );
  const job_id = await createJob(fresh, token);
  await fresh.drainQueue();
  expect(await listStoredMatches(fresh, job_id)).toHaveLength(shortlistLimits.matches);
  const { member_id } = await fresh.registerDeployedMember({ mean: fillSlots(tierMeans.exceptional) });
  await fresh.drainQueue();
  const stored = await listStoredMatches(fresh, job_id);
  expect(stored).toHaveLength(shortlistLimits.matches);
  expect(stored[0]).toMatchObject({ member_id, match_quality: 'exceptional' });
});

test('however many jobs there are, all are looked at', async () => {
  const fresh = await startApp();
  const { org_id } = await fresh.registerOrgAdmin();
  const jobs = 1_201;
  await fresh.sql.run(sql`
    insert into jobs (id, external_id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities, created_at)
    select gen_random_uuid(), 'JOB-' || n, ${org_id}, 'Archivist', 'Order.', 'active', 'none', 'hybrid', '{"persistence": 1}', now()
    from generate_series(1, ${jobs}::integer) as n`);
  const [member_id] = await insertMembers(fresh, [{ mean: fillSlots(2), variance: fillSlots(0.15) }]);
  await runTask(fresh, computeMemberMatches, { member_id: member_id! });
  const { count } = await fresh.sql.one(
    sql<{ count: number }>`select count(*) from matches where member_id = ${member_id}`,
  );
  expect(count).toBe(jobs);
});

test('repeating the computation, also at once, changes nothing', async () => {
  const job_id = await createJob(app, org.token);
  const { member_id } = await member('strong');
  await app.drainQueue();
  const before = await matchOf(job_id, member_id);
  await Promise.all([1, 2, 3].map(() => runTask(app, computeMemberMatches, { member_id })));
  expect(await matchOf(job_id, member_id)).toEqual(before);
});

test('a member that is not there, or not yet deployed, is no error', async () => {
  const { member_id } = await app.registerMember();
  await expect(runTask(app, computeMemberMatches, { member_id })).resolves.toBeUndefined();
  const nobody = '00000000-0000-4000-8000-000000000000';
  await expect(runTask(app, computeMemberMatches, { member_id: nobody })).resolves.toBeUndefined();
});

test('jobs and members computed at once do not lock each other out', async () => {
  const jobs = [await createJob(app, org.token), await createJob(app, org.token)];
  const members = await insertMembers(
    app,
    Array.from({ length: 8 }, () => ({ mean: fillSlots(2), variance: fillSlots(0.15) })),
  );
  await Promise.all([
    ...jobs.map((job_id) => runTask(app, computeJobMatches, { job_id })),
    ...members.map((member_id) => runTask(app, computeMemberMatches, { member_id })),
  ]);
  for (const job_id of jobs) {
    const found = (await listStoredMatches(app, job_id)).map(({ member_id }) => member_id);
    expect(new Set(found).size).toBe(found.length);
    for (const id of members) expect(found).toContain(id);
  }
});

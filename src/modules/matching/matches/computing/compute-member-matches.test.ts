import { expect, test } from 'vitest';
import { recordMemberSuspension } from '#modules/people/members';
import { toTraitSlot } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  forceMatchStatus,
  insertMembers,
  listStoredMatches,
  remeasureMember,
  runTask,
  tierMeans,
  type StoredMatch,
} from '#test/modules/matching.ts';
import { createNormalPopulation } from '#test/modules/random-population.ts';
import { filledProfile } from '#test/users.ts';
import { shortlistLimits } from '#modules/matching/engine';
import { computeJobMatches } from './compute-job-matches.ts';
import { computeMemberMatches } from './compute-member-matches.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();

const registerTierMember = (tier: keyof typeof tierMeans) =>
  app.registerDeployedMember({ mean: fillMeans(tierMeans[tier], ['persistence', 'sincerity']) });

async function findMatch(job_id: string, member_id: string): Promise<StoredMatch | undefined> {
  return (await listStoredMatches(app, job_id)).find((match) => match.member_id === member_id);
}

const setConsent = (token: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'matching', granted, version: '1.0' },
  });

test('a newly deployed member is matched with existing jobs, and with the best ones of any tier if the list would be empty', async () => {
  const jobs = [await createJob(app, org.token), await createJob(app, org.token, { sincerity: 0.4 })];
  await app.drainQueue();
  for (const tier of ['exceptional', 'strong', 'moderate', 'developing', 'none'] as const) {
    const { member_id } = await registerTierMember(tier);
    await app.drainQueue();
    const expected = tier === 'none' ? 'developing' : tier;
    for (const job_id of jobs) expect((await findMatch(job_id, member_id))?.match_quality).toBe(expected);
  }
});

test('a computation of the member gives the same labels as a computation of the job', async () => {
  const job_id = await createJob(app, org.token, {
    empathic_attunement: 1,
    persistence: 0.3,
    fair_dealing: 0.9,
  });
  await app.drainQueue();
  const ids = await insertMembers(app, createNormalPopulation(60, 29).members);
  for (const member_id of ids) await runTask(app, computeMemberMatches, { member_id });
  const ofMembers = (await listStoredMatches(app, job_id)).filter(
    ({ match_quality }) => match_quality !== 'developing',
  );
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  const ofJob = new Map((await listStoredMatches(app, job_id)).map((match) => [match.member_id, match]));
  expect(ofMembers.length).toBeGreaterThan(5);
  for (const match of ofMembers) expect(ofJob.get(match.member_id)).toEqual(match);
  const added = [...ofJob.values()].filter(({ id }) => ofMembers.every((match) => match.id !== id));
  expect(new Set(added.map(({ match_quality }) => match_quality))).toEqual(new Set(['developing']));
});

test('a member is not matched with jobs that are not active', async () => {
  const job_id = await createJob(app, org.token);
  await app.sql.run(sql`update jobs set status = 'closed' where id = ${job_id}`);
  const { member_id } = await registerTierMember('strong');
  await app.drainQueue();
  expect(await findMatch(job_id, member_id)).toBeUndefined();
});

test('when a member withdraws consent, open matches are withdrawn and decided matches do not change', async () => {
  const member = await registerTierMember('strong');
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
    await forceMatchStatus(app, (await findMatch(job_id, member.member_id))!.id, statuses[index]!);
  }
  await setConsent(member.token, false);
  await app.drainQueue();
  const after = await Promise.all(
    jobs.map(async (job_id) => (await findMatch(job_id, member.member_id))?.match_status),
  );
  expect(after).toEqual(['withdrawn', 'withdrawn', 'withdrawn', 'org_passed', 'member_declined', 'placed']);
  // The organisation learns of those in which it was interested, and of nobody else.
  const events = await app.sql.list(sql<{ job_id: string; knows: boolean }>`
    select data->>'job_id' as job_id, data->>'shown_member_id' = ${member.member_id} as knows from events
    where type = 'match.withdrawn' and data->>'member_id' = ${member.member_id}`);
  const informed = new Map(events.map(({ job_id, knows }) => [job_id, knows]));
  expect(jobs.map((job_id) => informed.get(job_id))).toEqual([
    undefined,
    false,
    true,
    undefined,
    undefined,
    undefined,
  ]);
  // A repeated computation says it no second time.
  await runTask(app, computeMemberMatches, { member_id: member.member_id });
  const again = sql`select from events where type = 'match.withdrawn' and data->>'member_id' = ${member.member_id}`;
  expect(await app.sql.list(again)).toHaveLength(2);
});

test('a member who returns is matched again where no one had acted, and other withdrawn matches stay withdrawn', async () => {
  const member = await registerTierMember('strong');
  const [pendingJob, interestedJob] = [await createJob(app, org.token), await createJob(app, org.token)];
  await app.drainQueue();
  const before = await findMatch(pendingJob, member.member_id);
  await forceMatchStatus(app, (await findMatch(interestedJob, member.member_id))!.id, 'org_interested');
  await setConsent(member.token, false);
  await app.drainQueue();
  const ended = await findMatch(interestedJob, member.member_id);
  await setConsent(member.token, true);
  await app.drainQueue();
  const after = await findMatch(pendingJob, member.member_id);
  expect(after).toMatchObject({ match_status: 'pending_review', match_quality: 'strong' });
  expect(after?.id).not.toBe(before?.id);
  expect(await findMatch(interestedJob, member.member_id)).toEqual(ended);
  expect(ended?.match_status).toBe('withdrawn');
});

test('an incomplete profile or a suspension pauses matching, ends no match, and a withdrawal during the pause ends them', async () => {
  const member = await registerTierMember('strong');
  const [pending, accepted] = [await createJob(app, org.token), await createJob(app, org.token)];
  await app.drainQueue();
  const { id } = (await findMatch(accepted, member.member_id))!;
  await forceMatchStatus(app, id, 'member_accepted');
  const before = [await findMatch(pending, member.member_id), await findMatch(accepted, member.member_id)];
  const readMatches = async () => [
    await findMatch(pending, member.member_id),
    await findMatch(accepted, member.member_id),
  ];
  const setProfile = (profile: object) =>
    app.request('PUT', '/members/me/profile', { token: member.token, body: profile });
  const suspend = (suspended: boolean) =>
    app.sql.transaction((tx) => recordMemberSuspension(app.platform, tx, member.member_id, suspended));

  await setProfile({ ...filledProfile, current_industry: null });
  await app.drainQueue();
  for (const job_id of [pending, accepted])
    await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  expect(await readMatches()).toEqual(before);
  const later = await createJob(app, org.token);
  await app.drainQueue();
  expect(await findMatch(later, member.member_id)).toBeUndefined();

  await setProfile(filledProfile);
  await app.drainQueue();
  expect((await findMatch(later, member.member_id))?.match_status).toBe('pending_review');
  await suspend(true);
  await app.drainQueue();
  expect(await readMatches()).toEqual(before);
  await suspend(false);

  await setProfile({});
  await setConsent(member.token, false);
  await app.drainQueue();
  expect((await readMatches()).map((match) => match?.match_status)).toEqual(['withdrawn', 'withdrawn']);
});

test('a new measurement updates the labels of open matches and deletes a pending match with a fit below average', async () => {
  const { member_id } = await registerTierMember('strong');
  const [first, second] = [await createJob(app, org.token), await createJob(app, org.token)];
  await app.drainQueue();
  await forceMatchStatus(app, (await findMatch(second, member_id))!.id, 'org_interested');
  const expected = [
    ['exceptional', 'exceptional', 'exceptional'],
    ['developing', 'developing', 'developing'],
    ['none', undefined, 'developing'],
  ] as const;
  for (const [tier, firstQuality, secondQuality] of expected) {
    app.clock.advance(1_000);
    await remeasureMember(app, member_id, tierMeans[tier]);
    await runTask(app, computeMemberMatches, { member_id });
    expect((await findMatch(first, member_id))?.match_quality).toBe(firstQuality);
    expect(await findMatch(second, member_id)).toMatchObject({
      match_quality: secondQuality,
      match_status: 'org_interested',
    });
  }
});

test('a full shortlist gains a better match and loses one of its lowest tier', async () => {
  const fresh = await startApp();
  const { token } = await fresh.registerOrgAdmin();
  const vector = { mean: fillMeans(tierMeans.moderate), variance: fillSlots(0.15) };
  await insertMembers(
    fresh,
    Array.from({ length: shortlistLimits.matches }, () => vector),
  );
  const job_id = await createJob(fresh, token);
  await fresh.drainQueue();
  expect(await listStoredMatches(fresh, job_id)).toHaveLength(shortlistLimits.matches);
  const { member_id } = await fresh.registerDeployedMember({ mean: fillMeans(tierMeans.exceptional) });
  await fresh.drainQueue();
  const stored = await listStoredMatches(fresh, job_id);
  expect(stored).toHaveLength(shortlistLimits.matches);
  expect(stored[0]).toMatchObject({ member_id, match_quality: 'exceptional' });
});

test('members that wait together are computed in one run, with the labels of a computation of the job', async () => {
  const job_id = await createJob(app, org.token, { analytical_depth: 1, sincerity: 0.5, discretion: 0.2 });
  await app.drainQueue();
  const ids = await insertMembers(app, createNormalPopulation(40, 31).members);
  const { member_id: undeployed } = await app.registerMember();
  const all = [...ids, undeployed, ids[0]!].map((member_id) => ({ member_id }));
  const defaults = {
    ...app.platform,
    signal: new AbortController().signal,
    reportProgress: async () => undefined,
  };
  let transactions = 0;
  const database: typeof app.platform.database = {
    ...app.platform.database,
    transaction: (work) => {
      transactions += 1;
      return app.platform.database.transaction(work);
    },
  };
  await computeMemberMatches.run({ ...defaults, now: app.clock.now, database }, all[0]!, all);
  // One for what was found, and one for the lists that would be empty.
  expect(transactions).toBeLessThanOrEqual(2);
  const ofMembers = (await listStoredMatches(app, job_id)).filter(
    ({ match_quality }) => match_quality !== 'developing',
  );
  expect(ofMembers.length).toBeGreaterThan(3);
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  const ofJob = (await listStoredMatches(app, job_id)).filter(
    ({ match_quality }) => match_quality !== 'developing',
  );
  expect(ofJob).toEqual(ofMembers.map((match) => ({ ...match, computed_at: expect.anything() })));
});

test('jobs that were changed, closed, opened or suspended since the last computation are followed', async () => {
  const ours = await app.registerOrgAdmin();
  const job_id = await createJob(app, ours.token);
  const { member_id } = await registerTierMember('strong');
  await app.drainQueue();
  const compute = async () => {
    await app.sql.run(sql`delete from matches where member_id = ${member_id}`);
    await app.sql.run(sql`delete from member_matches where member_id = ${member_id}`);
    app.clock.advance(1_000);
    await runTask(app, computeMemberMatches, { member_id });
    return (await findMatch(job_id, member_id))?.match_quality;
  };
  const change = (body: object) =>
    app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: ours.token, body });
  expect(await compute()).toBe('strong');
  await change({ clearance_required: 'positive_vetting' });
  expect(await compute()).toBeUndefined();
  await change({ clearance_required: 'none' });
  expect(await compute()).toBe('strong');
  await change({ status: 'draft' });
  expect(await compute()).toBeUndefined();
  await change({ status: 'active' });
  expect(await compute()).toBe('strong');
  const suspend = (at: Date | null) =>
    app.sql.run(sql`update organisations set suspended_at = ${at} where id = ${ours.org_id}`);
  await suspend(app.clock.now());
  expect(await compute()).toBeUndefined();
  await suspend(null);
  expect(await compute()).toBe('strong');
});

test('a member is matched with all of more than a thousand jobs', async () => {
  const fresh = await startApp();
  const { org_id } = await fresh.registerOrgAdmin();
  const jobs = 1_201;
  await fresh.sql.run(sql`
    insert into jobs (id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities, created_at)
    select gen_random_uuid(), ${org_id}, 'Archivist', 'Order.', 'active', 'none', 'hybrid', '{"persistence": 1}', now()
    from generate_series(1, ${jobs}::integer) as n`);
  const [member_id] = await insertMembers(fresh, [{ mean: fillMeans(2), variance: fillSlots(0.15) }]);
  await runTask(fresh, computeMemberMatches, { member_id: member_id! });
  const { count } = await fresh.sql.one(
    sql<{ count: number }>`select count(*) from matches where member_id = ${member_id}`,
  );
  expect(count).toBe(jobs);
});

test('repeated and concurrent computations change nothing', async () => {
  const job_id = await createJob(app, org.token);
  const { member_id } = await registerTierMember('strong');
  await app.drainQueue();
  const before = await findMatch(job_id, member_id);
  await Promise.all([1, 2, 3].map(() => runTask(app, computeMemberMatches, { member_id })));
  expect(await findMatch(job_id, member_id)).toEqual(before);
});

test('the task succeeds for a member who does not exist or is not deployed', async () => {
  const { member_id } = await app.registerMember();
  await expect(runTask(app, computeMemberMatches, { member_id })).resolves.toBeUndefined();
  await expect(runTask(app, computeMemberMatches, { member_id: unknownId })).resolves.toBeUndefined();
});

test('concurrent computations of jobs and members do not deadlock', async () => {
  const jobs = [await createJob(app, org.token), await createJob(app, org.token)];
  const members = await insertMembers(
    app,
    Array.from({ length: 8 }, () => ({ mean: fillMeans(2), variance: fillSlots(0.15) })),
  );
  await Promise.all([
    ...jobs.map((job_id) => runTask(app, computeJobMatches, { job_id, org_id: org.org_id })),
    ...members.map((member_id) => runTask(app, computeMemberMatches, { member_id })),
  ]);
  for (const job_id of jobs) {
    const matched = (await listStoredMatches(app, job_id)).map(({ member_id }) => member_id);
    expect(new Set(matched).size).toBe(matched.length);
    for (const id of members) expect(matched).toContain(id);
  }
});

test('tells a deepening assessment which traits decide about the member’s matches', async () => {
  const { member_id } = await app.registerDeployedMember({ mean: fillMeans(0.9, ['persistence']) });
  await app.sql.run(sql`
    insert into assessments (id, member_id, item_bank_version, started_at, completed_at, stage, item_ids)
    values (gen_random_uuid(), ${member_id}, 'test', now(), now(), 'deepening', '{}')`);
  await createJob(app, org.token, { persistence: 1 });
  await runTask(app, computeMemberMatches, { member_id });
  const { stakes } = await app.sql.one(
    sql<{
      stakes: number[];
    }>`select to_json(trait_stakes) as stakes from assessments where member_id = ${member_id}`,
  );
  expect(stakes).toHaveLength(20);
  expect(Math.min(...stakes)).toBeGreaterThanOrEqual(0);
  expect(stakes[toTraitSlot('persistence')]).toBeGreaterThan(stakes[toTraitSlot('discretion')]!);
});

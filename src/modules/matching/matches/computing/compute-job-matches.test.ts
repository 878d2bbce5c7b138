import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatChildId, child_id_bytes } from '#lib/child-id.ts';
import { lockMember } from '#modules/people/members';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  forceMatchStatus,
  insertMembers,
  listStoredMatches,
  persistencePriorities,
  remeasureMember,
  runTask,
  tierMeans,
} from '#test/modules/matching.ts';
import { createNormalPopulation } from '#test/modules/random-population.ts';
import { proves } from '#test/requirements.ts';
import { builtInNorms } from '#modules/measurement/traits';
import { computeFitWeights, shortlistLimits } from '#modules/matching/engine';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { insertMatches } from '../store.ts';
import { computeJobMatches } from './compute-job-matches.ts';
import { computeMemberMatches } from './compute-member-matches.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();

const insertTierMembers = (...tiers: (keyof typeof tierMeans)[]) =>
  insertMembers(
    app,
    tiers.map((tier) => ({ mean: fillMeans(tierMeans[tier]), variance: fillSlots(0.15) })),
  );

const readLabels = async (job_id: string) =>
  Object.fromEntries(
    (await listStoredMatches(app, job_id)).map((match) => [match.member_id, match.match_quality]),
  );

test('a new job is matched with all deployed members whose fit is above average', async () => {
  proves('match-computed-between-members-and-jobs');
  const job_id = await createJob(app, org.token);
  const [exceptional, strong, moderate, developing, none] = await insertTierMembers(
    'exceptional',
    'strong',
    'moderate',
    'developing',
    'none',
  );
  const undeployed = await app.registerMember();
  await app.drainQueue();
  const stored = await listStoredMatches(app, job_id);
  expect(stored.map((match) => [match.member_id, match.match_quality, match.match_status])).toEqual([
    [exceptional, 'exceptional', 'pending_review'],
    [strong, 'strong', 'pending_review'],
    [moderate, 'moderate', 'pending_review'],
    [developing, 'developing', 'pending_review'],
  ]);
  expect(stored.map(({ member_id }) => member_id)).not.toContain(none);
  expect(stored.map(({ member_id }) => member_id)).not.toContain(undeployed.member_id);
  // Only the lowest of these fits is far enough from the next cut for another assessment.
  expect(stored.map(({ confidence_level }) => confidence_level)).toEqual(['low', 'low', 'low', 'high']);
});

test('the stored matches are the same as those of an independent computation in SQL', async () => {
  const fresh = await startApp();
  const { token } = await fresh.registerOrgAdmin();
  const { members } = createNormalPopulation(900, 23);
  await insertMembers(fresh, members);
  const priorities = { empathic_attunement: 1, pressure_response: 0.8, persistence: 0.3, discretion: 0.25 };
  const job_id = await createJob(fresh, token, priorities);
  await fresh.drainQueue();
  const { effects, shared_sd } = computeFitWeights(priorities, builtInNorms);
  const weights = Array.from(effects);
  type Expected = { member_id: string; tier: string };
  const expected = await fresh.sql.list(sql<Expected>`
    with fits as (
      select id, (select sum(w * m) from unnest(${weights}::float8[], latent_mean) as slot (w, m)) as mean,
        (select sqrt(sum(w * w * v)) from unnest(${weights}::float8[], latent_variance) as slot (w, v)) as sd
      from deployed_members join trait_vectors on member_id = id
    ), bounds as (select id, mean - 0.8416212335729143 * (sqrt(greatest(0, sd * sd - ${shared_sd} ^ 2)) + ${shared_sd}) as bound from fits where mean > 0),
    tiers as (
      select id, case when bound >= 1.5 then 'exceptional' when bound >= 1 then 'strong' when bound >= 0.3 then 'moderate'
        else 'developing' end as tier, row_number() over (partition by bound < 0.3 order by bound desc) as place
      from bounds)
    select id as member_id, tier from tiers where tier <> 'developing' or place <= ${shortlistLimits.developing}`);
  const stored = await listStoredMatches(fresh, job_id);
  const pairs = stored.map(({ member_id, match_quality }) => `${member_id} ${match_quality}`);
  expect(pairs.length).toBeGreaterThan(shortlistLimits.developing);
  expect(pairs.sort()).toEqual(expected.map(({ member_id, tier }) => `${member_id} ${tier}`).sort());
});

test('the latest of several measurements is used', async () => {
  const [member] = await insertTierMembers('none');
  await remeasureMember(app, member!, tierMeans.strong);
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  expect((await readLabels(job_id))[member!]).toBe('strong');
});

test('a new job is matched with members who changed while an older transaction is still running', async () => {
  await app.sql.transaction(async (older) => {
    await older.run(sql`select pg_current_xact_id()`);
    const [member] = await insertTierMembers('strong');
    const job_id = await createJob(app, org.token);
    await app.drainQueue();
    expect((await readLabels(job_id))[member!]).toBe('strong');
  });
});

test('a second computation updates the labels of open matches but not their ids', async () => {
  const ids = await insertTierMembers('strong', 'strong', 'strong');
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const before = new Map((await listStoredMatches(app, job_id)).map((match) => [match.member_id, match]));
  await forceMatchStatus(app, before.get(ids[1]!)!.id, 'org_interested');
  await forceMatchStatus(app, before.get(ids[2]!)!.id, 'member_accepted');
  app.clock.advance(60_000);
  for (const id of ids) await remeasureMember(app, id, tierMeans.moderate);
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  const after = new Map((await listStoredMatches(app, job_id)).map((match) => [match.member_id, match]));
  for (const [index, status] of ['pending_review', 'org_interested', 'member_accepted'].entries()) {
    const id = ids[index]!;
    expect(after.get(id)).toMatchObject({
      id: before.get(id)!.id,
      match_quality: 'moderate',
      match_status: status,
      computed_at: app.clock.now(),
    });
  }
});

test('a computation does not change a match that was decided or has ended', async () => {
  const finalStatuses = ['org_passed', 'member_declined', 'placed', 'closed', 'expired', 'withdrawn'];
  const ids = await insertTierMembers('strong', 'strong', 'strong', 'strong', 'strong', 'strong');
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const listOurMatches = async () =>
    (await listStoredMatches(app, job_id)).filter(({ member_id }) => ids.includes(member_id));
  for (const [index, match] of (await listOurMatches()).entries())
    await forceMatchStatus(app, match.id, finalStatuses[index]!);
  const before = await listOurMatches();
  app.clock.advance(60_000);
  for (const [index, id] of ids.entries())
    await remeasureMember(app, id, index % 2 === 0 ? tierMeans.exceptional : tierMeans.none);
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  expect(await listOurMatches()).toEqual(before);
});

test('for a member who is no longer on the shortlist, a pending match is deleted and other open matches get a new label', async () => {
  const [pending, interested] = await insertTierMembers('strong', 'strong');
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const match = (await listStoredMatches(app, job_id)).find(({ member_id }) => member_id === interested)!;
  await forceMatchStatus(app, match.id, 'org_interested');
  for (const id of [pending!, interested!]) await remeasureMember(app, id, tierMeans.none);
  app.clock.advance(60_000);
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  const after = await readLabels(job_id);
  expect(after).not.toHaveProperty(pending!);
  expect(after[interested!]).toBe('developing');
});

test('no matches are computed for jobs that are not active', async () => {
  await insertTierMembers('strong');
  for (const status of ['closed', 'draft']) {
    const job_id = await createJob(app, org.token);
    await app.sql.run(sql`update jobs set status = ${status} where id = ${job_id}`);
    await app.drainQueue();
    expect(await listStoredMatches(app, job_id)).toEqual([]);
  }
});

test('nothing is stored for a job that changes during its computation', async () => {
  await insertTierMembers('strong');
  const changes = [
    (id: string) => sql`update jobs set status = 'closed' where id = ${id}`,
    (id: string) => sql`update jobs set trait_priorities = '{"discretion": 1}', version = 2 where id = ${id}`,
    (id: string) =>
      sql`update jobs set matches_computed_at = ${new Date(app.clock.now().getTime() + 1)} where id = ${id}`,
  ];
  for (const change of changes) {
    const job_id = await createJob(app, org.token);
    await runTask(
      app,
      computeJobMatches,
      { job_id, org_id: org.org_id },
      interruptWith(() => app.sql.run(change(job_id))),
    );
    expect(await listStoredMatches(app, job_id)).toEqual([]);
  }
});

test('a member who withdraws consent during the computation is not stored', async () => {
  const member = await app.registerDeployedMember({ mean: fillMeans(2) });
  const job_id = await createJob(app, org.token);
  const body = { consent_type: 'matching', granted: false, version: '1.0' };
  const withdraw = () => app.request('POST', '/members/me/consent', { token: member.token, body });
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id }, interruptWith(withdraw));
  expect(await readLabels(job_id)).not.toHaveProperty(member.member_id);
});

test('a member whose profile becomes incomplete during the computation keeps the match', async () => {
  const member = await app.registerDeployedMember({ mean: fillMeans(2) });
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  app.clock.advance(1_000);
  // The computation begins while the member is deployed, and no longer finds the member in the index.
  await app.sql
    .run(sql`insert into trait_vectors (member_id, version, item_bank_version, vector, latent_mean, latent_variance, created_at)
    values (${member.member_id}, 2, 'test', '{}', ${fillMeans(-1)}, ${fillSlots(0.15)}, ${app.clock.now()})`);
  const clearProfile = () => app.request('PUT', '/members/me/profile', { token: member.token, body: {} });
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id }, interruptWith(clearProfile));
  expect(await readLabels(job_id)).toHaveProperty(member.member_id);
});

test('a member who is deployed or measured during the computation keeps the match of their own computation', async () => {
  const [measured, improved] = await insertTierMembers('none', 'moderate');
  const job_id = await createJob(app, org.token);
  let deployed = '';
  const deployAndRemeasure = async () => {
    [deployed = ''] = await insertTierMembers('strong');
    await runTask(app, computeMemberMatches, { member_id: deployed });
    app.clock.advance(1_000);
    for (const member_id of [measured!, improved!]) await remeasureMember(app, member_id, tierMeans.strong);
    for (const member_id of [measured!, improved!]) await runTask(app, computeMemberMatches, { member_id });
  };
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id }, interruptWith(deployAndRemeasure));
  expect(await readLabels(job_id)).toMatchObject({
    [deployed]: 'strong',
    [measured!]: 'strong',
    [improved!]: 'strong',
  });
});

test('a computation that changes nothing writes no match, and one that changes a label writes only that match', async () => {
  const ids = await insertTierMembers('strong', 'strong', 'moderate');
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  // The system columns of a row change whenever it is written.
  const readVersions = async () => {
    type Version = { member_id: string; version: string };
    const stored = await app.sql.list(sql<Version>`
      select member_id, concat_ws(' ', xmin, ctid) as version from matches where job_id = ${job_id}`);
    const listed = await app.sql.list(sql<Version>`
      select member_id, concat_ws(' ', xmin, ctid) as version from member_matches where job_id = ${job_id}`);
    const versions = new Map(listed.map(({ member_id, version }) => [member_id, version]));
    return new Map(
      stored.map(({ member_id, version }) => [member_id, `${version} ${versions.get(member_id)}`]),
    );
  };
  const before = await readVersions();
  expect(before.size).toBeGreaterThanOrEqual(ids.length);
  app.clock.advance(60_000);
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  await runTask(app, computeMemberMatches, { member_id: ids[0]! });
  expect(await readVersions()).toEqual(before);
  await remeasureMember(app, ids[1]!, tierMeans.exceptional);
  app.clock.advance(60_000);
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  const after = await readVersions();
  expect([...after].filter(([id, version]) => before.get(id) !== version).map(([id]) => id)).toEqual([
    ids[1],
  ]);
});

test('a computation that changes nothing writes nothing about its job, but for a new day or after a change of what lists follow from', async () => {
  const fresh = await startApp();
  const { token, org_id } = await fresh.registerOrgAdmin();
  await insertMembers(fresh, [{ mean: fillMeans(tierMeans.strong), variance: fillSlots(0.15) }]);
  const usePolicy = () =>
    fresh.sql.run(sql`
      insert into fit_policy_uses (number, version, action, used_at)
      select max(number) + 1, 1, 'promote', ${fresh.clock.now()} from fit_policy_uses`);
  const job_id = await createJob(fresh, token);
  await fresh.drainQueue();
  await usePolicy();
  // In the morning: what follows takes a few minutes.
  const tomorrow = new Date(fresh.clock.now().getTime() + 24 * 60 * 60_000);
  fresh.clock.set(new Date(`${tomorrow.toISOString().slice(0, 10)}T08:00:00Z`));
  const compute = async () => {
    fresh.clock.advance(60_000);
    await runTask(fresh, computeJobMatches, { job_id, org_id });
    const row = sql`select xmin::text, xmax::text, matches_computed_at from jobs where id = ${job_id}`;
    return (await fresh.sql.one(row)) as { readonly matches_computed_at: Date };
  };
  const first = await compute();
  expect(await compute()).toEqual(first);
  await usePolicy();
  const second = await compute();
  expect(second.matches_computed_at).toEqual(fresh.clock.now());
  expect(await compute()).toEqual(second);
  fresh.clock.advance(24 * 60 * 60_000);
  expect((await compute()).matches_computed_at).toEqual(fresh.clock.now());
});

test('the lists of a job and of its members agree after every computation and every end of a match', async () => {
  const ids = await insertTierMembers('strong', 'moderate', 'exceptional');
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  await remeasureMember(app, ids[0]!, tierMeans.none);
  await runTask(app, computeMemberMatches, { member_id: ids[0]! });
  await app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body: { status: 'closed' } });
  await app.drainQueue();
  await app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body: { status: 'active' } });
  await app.drainQueue();
  const differences = await app.sql.list(sql`
    (select id, job_id, member_id, match_quality, match_status, confidence_level, computed_at, created_at from matches
     except select match_id, job_id, member_id, match_quality, match_status, confidence_level, computed_at, created_at from member_matches)
    union all
    (select match_id, job_id, member_id, match_quality, match_status, confidence_level, computed_at, created_at from member_matches
     except select id, job_id, member_id, match_quality, match_status, confidence_level, computed_at, created_at from matches)`);
  expect(differences).toEqual([]);
  expect(Object.keys(await readLabels(job_id))).toEqual(expect.arrayContaining([ids[1], ids[2]]));
});

test('a member who has a new match cannot leave level 4 before the computation has committed', async () => {
  const [member_id] = await insertTierMembers('strong');
  const job_id = await createJob(app, org.token);
  let locked: Promise<unknown> | undefined;
  const order: string[] = [];
  await app.sql.transaction(async (tx) => {
    const match = {
      job_id,
      member_id: member_id!,
      org_id: org.org_id,
      match_quality: 'strong',
      confidence_level: 'high',
      provisional: false,
      suitability: 120,
      version: 1,
    } as const;
    await insertMatches(
      tx,
      [{ ...match, id: formatChildId(job_id, randomBytes(child_id_bytes)) }],
      app.clock.now(),
    );
    locked = app.sql.transaction((other) => lockMember(other, member_id!)).then(() => order.push('locked'));
    await waitUntilBlocked(app);
    order.push('committed');
  });
  await locked;
  expect(order).toEqual(['committed', 'locked']);
});

test('concurrent computations of one job store every match once', async () => {
  await insertTierMembers('strong', 'moderate');
  const job_id = await createJob(app, org.token);
  await Promise.all([1, 2, 3].map(() => runTask(app, computeJobMatches, { job_id, org_id: org.org_id })));
  const members = (await listStoredMatches(app, job_id)).map(({ member_id }) => member_id);
  expect(members.length).toBeGreaterThanOrEqual(2);
  expect(new Set(members).size).toBe(members.length);
});

test('the computation stops when the process stops', async () => {
  const job_id = await createJob(app, org.token, persistencePriorities);
  const work = runTask(
    app,
    computeJobMatches,
    { job_id, org_id: org.org_id },
    { signal: AbortSignal.abort() },
  );
  await expect(work).rejects.toThrow('aborted');
  expect(await listStoredMatches(app, job_id)).toEqual([]);
});

/** Returns a context that runs a change after the job is read and before its matches are stored. */
function interruptWith(change: () => Promise<unknown>) {
  const runTransaction: TestApp['sql']['transaction'] = async (work, options) => {
    await change();
    return app.sql.transaction(work, options);
  };
  return { database: { ...app.sql, transaction: runTransaction } };
}

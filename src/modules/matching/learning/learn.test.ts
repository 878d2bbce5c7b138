import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { createPlacement, day_ms, sendFeedback } from '#test/modules/feedback.ts';
import { insertPlacements, learnedPriorities } from '#test/modules/learning.ts';
import { createJob, fillSlots, insertMembers, runTask } from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';
import { logInAgain } from '#test/users.ts';
import { findLivePolicy, findPolicy, listPolicies } from '#modules/matching/matches';
import { traitCodes } from '#modules/measurement/traits';
import { learnFromOutcomes } from './learn.ts';
import { promotePolicy, rollBackPolicy } from './change-policy.ts';
import { readObservations } from './read-observations.ts';
import { personalData } from './personal-data.ts';

const app = await startApp();

const runLearning = () => runTask(app, learnFromOutcomes, {});
const countObservations = async () =>
  (await app.sql.one(sql<{ count: number }>`select count(*)::integer as count from learning_observations`))
    .count;

test('an outcome and a rating of a placement become one weighted observation, which grows with the next rating', async () => {
  proves('feedback-outcome-feeds-reinforcement-loop');
  const placement = await createPlacement(app);
  app.clock.advance(30 * day_ms);
  const [org, member] = [await logInAgain(app, placement.org), await logInAgain(app, placement.member)];
  await sendFeedback(app, placement, member, { stage_days: 30, overall_rating: 5 });
  await runLearning();
  const read = () =>
    app.sql.one(sql<{ value: number; weight: number; features: number[]; records: number }>`
      select value::float8 as value, weight::float8 as weight, to_json(features) as features, records
      from learning_observations where match_id = ${placement.match_id}`);
  const first = await read();
  expect(first).toMatchObject({ value: 1, weight: 0.75, records: 2 });
  expect(first.features).toHaveLength(24);
  expect(first.features.at(-1)).toBe(1);
  await sendFeedback(app, placement, org, { stage_days: 30, overall_rating: 1 });
  await runLearning();
  const second = await read();
  expect(second).toMatchObject({ weight: 1.25, records: 3, features: first.features });
  expect(second.value).toBeCloseTo(0.6, 6);
});

test('a placement that is dated back counts as recorded today, and nothing of a suspended organisation counts', async () => {
  const placement = await createPlacement(app, 200);
  for (const stage_days of [30, 90, 180])
    for (const { token } of [placement.member, placement.org])
      expect((await sendFeedback(app, placement, token, { stage_days, overall_rating: 1 })).status).toBe(201);
  await runLearning();
  const { weight } = await app.sql.one(sql<{ weight: number }>`
    select weight::float8 as weight from learning_observations where match_id = ${placement.match_id}`);
  expect(weight).toBe(0.25);

  const countOutcomes = async () =>
    (await readObservations(app.platform)).filter(({ org_id }) => org_id === placement.org.org_id).length;
  expect(await countOutcomes()).toBe(1);
  await app.sql.run(sql`
    update organisations set suspended_at = ${app.clock.now()} where id = ${placement.org.org_id}`);
  expect(await countOutcomes()).toBe(0);
});

test('outcomes make a candidate, which is promoted only after an evaluation, changes later matches, and can be taken back', async () => {
  await insertPlacements(app, {
    organisations: 12,
    jobs: 4,
    matches: 9,
    seed: 1,
    occupation_code: '29-1141.00',
  });
  await runLearning();
  expect(await countObservations()).toBe(434);
  const [candidate] = await listPolicies(app.sql, 1);
  expect(candidate).toMatchObject({ version: 2, parent: 1 });
  expect(await findLivePolicy(app.sql)).toMatchObject({ version: 1 });
  for (const numbers of Object.values(candidate!.multipliers)) {
    expect(numbers).toHaveLength(20);
    for (const multiplier of numbers) expect(Math.abs(multiplier - 1)).toBeLessThanOrEqual(0.08 + 1e-9);
  }
  expect(Object.keys(candidate!.multipliers).toSorted()).toEqual(['29', 'all']);
  const upwards = (['analytical_depth', 'social_initiative', 'sincerity'] as const).map(
    (code) => candidate!.multipliers['all']![traitCodes.indexOf(code)]!,
  );
  expect(Math.min(...upwards)).toBeGreaterThan(1);

  await runLearning();
  expect(await findLivePolicy(app.sql)).toMatchObject({ version: 2 });
  const { body } = await app.request('GET', '/model-card');
  expect(body).toMatchObject({ version: 2, uses: [{ version: 2, action: 'promote' }, { version: 1 }] });
  expect(body.versions[0].evaluation).toMatchObject({ reasons: [], live_version: 1 });
  expect(body.versions[0].evaluation.gain).toBeGreaterThan(0);
  expect(
    body.weights.map(({ occupation_group }: { occupation_group: string }) => occupation_group),
  ).toContain('29');

  const org = await app.registerOrgAdmin();
  await insertMembers(app, [
    { mean: fillSlots(0).map((_, slot) => 1 + slot / 20), variance: fillSlots(0.15) },
  ]);
  const job_id = await createJob(app, org.token, learnedPriorities);
  await app.drainQueue();
  const logged = await app.sql.list(sql<{ policy_version: number; tier_candidates: number }>`
    select distinct policy_version, tier_candidates from matches where job_id = ${job_id}`);
  expect(new Set(logged.map(({ policy_version }) => policy_version))).toEqual(new Set([2]));
  for (const { tier_candidates } of logged) expect(tier_candidates).toBeGreaterThan(0);

  await expect(promotePolicy(app.platform, { version: '2' })).rejects.toThrow('version 2 is live already');
  expect(await rollBackPolicy(app.platform)).toEqual({ live: 1, before: 2 });
  expect(await findLivePolicy(app.sql)).toMatchObject({ version: 1 });
  await runLearning();
  expect(await findLivePolicy(app.sql)).toMatchObject({ version: 1 });
  expect(await promotePolicy(app.platform, { version: '2' })).toEqual({ live: 2, before: 1 });
  await expect(promotePolicy(app.platform, { version: 'two' })).rejects.toThrow('does not exist');
});

test('a version, its use and its evaluations never change', async () => {
  expect(await findPolicy(app.sql, 1)).toBeDefined();
  for (const statement of [
    sql`update fit_policies set multipliers = '{}'`,
    sql`delete from fit_policies`,
    sql`update fit_policy_uses set version = 1`,
    sql`delete from fit_policy_uses`,
    sql`delete from policy_evaluations`,
    sql`truncate policy_evaluations`,
  ])
    await expect(app.sql.run(statement)).rejects.toThrow(/never change|append|refused|not allowed/);
});

test('what was observed of a match goes with the match', async () => {
  const { match_id } = await app.sql.one(sql<{ match_id: string }>`
    select match_id from learning_observations limit 1`);
  await app.sql.run(sql`delete from matches where id = ${match_id}`);
  const left = await app.sql.list(sql`
    select match_id from learning_observations where match_id = ${match_id}
    union all select match_id from learning_candidates where match_id = ${match_id}`);
  expect(left).toEqual([]);
});

test('an erasure deletes what was observed of a member, also as a candidate, and an export shows it', async () => {
  const { member_id } = await app.sql.one(sql<{ member_id: string }>`
    select member_id from learning_candidates limit 1`);
  const rows = await personalData.exportPersonalData(app.sql, member_id, noAccounts);
  expect(rows.map(({ name }) => name)).toEqual(['learning_observations', 'learning_candidates']);
  expect(rows[1]!.rows.length).toBeGreaterThan(0);
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, member_id, noAccounts));
  const left = await app.sql.list(sql`
    select match_id from learning_candidates where member_id = ${member_id}
    union all select match_id from learning_observations join matches using (job_id) where id = match_id and member_id = ${member_id}`);
  expect(left).toEqual([]);
});

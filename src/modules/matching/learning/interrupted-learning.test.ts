import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import type { Database } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createPlacement, day_ms, sendFeedback, sendOutcome } from '#test/modules/feedback.ts';
import { insertPlacements, learnedPriorities } from '#test/modules/learning.ts';
import { createJob, fillSlots, insertMembers, runTask } from '#test/modules/matching.ts';
import {
  computeAllMatches,
  computeJobMatches,
  findLivePolicy,
  listPolicies,
} from '#modules/matching/matches';
import { promotePolicy, rollBackPolicy } from './change-policy.ts';
import { gatherObservations } from './gather-observations.ts';
import { learnFromOutcomes } from './learn.ts';
import { readObservations } from './read-observations.ts';

const app = await startApp();

const gather = (signal = new AbortController().signal) =>
  gatherObservations({ database: app.platform.database, now: app.clock.now, signal });
const listStored = () =>
  app.sql.list(sql`
    select job_id, match_id, records, value, weight, to_json(features) as features, observed_at
    from learning_observations order by job_id, match_id`);

test('a corrected date changes what is observed: a placement that lasted long enough was not a bad one', async () => {
  const placement = await createPlacement(app, 100);
  const { match_id, member, org } = placement;
  const formatDaysAgo = (days: number) => new Date(app.clock.now().getTime() - days * day_ms).toISOString();
  await sendOutcome(app, placement, { outcome: 'left', ended_at: formatDaysAgo(20) });
  const read = async () => {
    await runTask(app, learnFromOutcomes, {});
    return app.sql.one(sql<{ value: number; weight: number; records: number }>`
      select value::float8 as value, weight::float8 as weight, records from learning_observations where match_id = ${match_id}`);
  };
  // Placed, and left after 80 days.
  expect(await read()).toMatchObject({ records: 2, weight: 0.75 });
  const { status } = await app.request('POST', `/matches/${match_id}/outcome/correction`, {
    token: org.token,
    body: { placed_at: formatDaysAgo(120), reason: 'It began three weeks earlier.' },
  });
  expect(status).toBe(201);
  // Placed, and left after 100 days, which says nothing.
  expect(await read()).toMatchObject({ records: 3, weight: 0.25, value: 1 });

  // Who withdraws the consent to matching is left out at once, and counts again after giving it again.
  const countRead = async () =>
    (await readObservations(app.platform)).filter(({ member_id }) => member_id === member.member_id).length;
  const decide = (granted: boolean) =>
    app.request('POST', '/members/me/consent', {
      token: member.token,
      body: { consent_type: 'matching', granted, version: '1.0' },
    });
  expect(await countRead()).toBe(1);
  await decide(false);
  expect(await countRead()).toBe(0);
  await sendFeedback(app, placement, member.token, { stage_days: 30, overall_rating: 1 });
  await runTask(app, learnFromOutcomes, {});
  await decide(true);
  expect(await countRead()).toBe(1);
});

test('a run that is killed between two pages loses and repeats nothing, and a second run changes nothing', async () => {
  // Observes what the test before has left, so that every page has new matches only.
  await gather();
  await insertPlacements(app, { organisations: 12, jobs: 4, matches: 9, seed: 1 });
  const before = (await listStored()).length;
  let checks = 0;
  const signal = {
    throwIfAborted: () => {
      checks += 1;
      if (checks > 2) throw new Error('killed');
    },
  } as AbortSignal;
  await expect(gather(signal)).rejects.toThrow('killed');
  expect((await listStored()).length).toBe(before + 100);
  app.clock.advance(day_ms);
  await Promise.all([runTask(app, learnFromOutcomes, {}), runTask(app, learnFromOutcomes, {})]);
  const stored = await listStored();
  expect(stored).toHaveLength(before + 432);
  // Two workers at the same time build one candidate.
  expect((await listPolicies(app.sql, 10)).map(({ version }) => version)).toEqual([2, 1]);
  app.clock.advance(day_ms);
  await gather();
  expect(await listStored()).toEqual(stored);
});

/** A database whose transactions wait. `reached` is fulfilled when the first one does. */
function suspendTransactions(database: Database) {
  let release: () => void = () => undefined;
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = new Proxy(database, {
    get: (target, name) =>
      name === 'transaction'
        ? async (work: Parameters<Database['transaction']>[0]) => {
            reach();
            await released;
            return target.transaction(work);
          }
        : Reflect.get(target, name),
  });
  return { held, reached, release };
}

test('lists follow the version in use: a computation that began before a promotion cannot overwrite the one after it', async () => {
  // The nights that have passed may have promoted the version.
  await app.drainQueue();
  if ((await findLivePolicy(app.sql)).version === 2) await rollBackPolicy(app.platform);
  await app.drainQueue();
  const { token, org_id } = await app.registerOrgAdmin();
  const vectors = Array.from({ length: 30 }, (_, place) => ({
    mean: fillSlots(0).map((__, slot) => ((place * 7 + slot * 3) % 11) / 4 - 0.5),
    variance: fillSlots(0.1),
  }));
  await insertMembers(app, vectors);
  const job_id = await createJob(app, token, learnedPriorities);
  await app.drainQueue();
  const listVersions = async () => {
    const rows = await app.sql.list(sql<{ policy_version: number }>`
      select distinct policy_version from matches where job_id = ${job_id} order by policy_version`);
    return rows.map(({ policy_version }) => policy_version);
  };
  const listLabels = () =>
    app.sql.list(sql`
      select member_id, match_quality, confidence_level from matches where job_id = ${job_id} order by member_id`);
  const labels = await listLabels();
  expect(await listVersions()).toEqual([1]);
  const { id: match_id } = await app.sql.one(sql<{ id: string }>`
    select id from matches where job_id = ${job_id} order by id limit 1`);
  const readSummary = async () => {
    await app.request('GET', `/matches/${match_id}/explanation`, { token });
    await app.drainQueue();
    return (await app.request('GET', `/matches/${match_id}/explanation`, { token })).body.summary_text;
  };
  expect(await readSummary()).not.toContain('earlier placements');
  // New members, whom both computations would add.
  await insertMembers(app, vectors);
  const { held, reached, release } = suspendTransactions(app.platform.database);
  const slow = runTask(app, computeJobMatches, { job_id, org_id }, { database: held });
  await reached;
  app.clock.advance(1_000);
  await promotePolicy(app.platform, { version: '2' });
  await runTask(app, computeAllMatches, {});
  const after = await listLabels();
  expect(await listVersions()).toContain(2);
  release();
  await slow;
  expect(await listLabels()).toEqual(after);
  expect(await readSummary()).toMatch(
    /Because of what became of earlier placements, .*sincerity.* count more/,
  );
  app.clock.advance(1_000);
  // After a rollback the labels are those of before.
  expect(await rollBackPolicy(app.platform)).toEqual({ live: 1, before: 2 });
  await app.drainQueue();
  expect((await findLivePolicy(app.sql)).version).toBe(1);
  expect(await listLabels()).toEqual(expect.arrayContaining(labels));
});

import { beforeAll, expect, test } from 'vitest';
import { findLivePolicy } from '#modules/matching/matches';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { insertPlacements } from '#test/modules/learning.ts';
import { runTask } from '#test/modules/matching.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { rollBackPolicy } from './change-policy.ts';
import { learnFromOutcomes } from './learn.ts';

const app = await startApp();
const path = '/operator/policies/2/promote';

beforeAll(async () => {
  await insertPlacements(app, { organisations: 12, jobs: 4, matches: 9, seed: 1 });
  await runTask(app, learnFromOutcomes, {});
  await app.drainQueue();
});

const readLive = async () => (await findLivePolicy(app.sql)).version;

test('promoting evaluates again and puts the version into use under the name of who asked, once', async () => {
  const { token, user_id } = await app.registerPlatformAdmin();
  const countEvaluations = async () =>
    (await app.sql.one(sql<{ count: number }>`select count(*)::int as count from policy_evaluations`)).count;
  const before = await countEvaluations();
  const asked = await app.request('POST', path, { token, body: { live: 1 } });
  const again = await app.request('POST', path, { token, body: { live: 1 } });
  expect([asked.status, again.status, await readLive()]).toEqual([202, 202, 1]);
  await app.drainQueue();
  expect([await readLive(), await countEvaluations()]).toEqual([2, before + 1]);
  expect(await listActs(app, 'policies.promoted', user_id)).toMatchObject([
    { detail: { version: 2, before: 1 } },
  ]);
  const state = await app.request('GET', `/tasks/${asked.body.task_id}`, { token });
  expect(state.body.status).toBe('succeeded');
  expect((await app.request('POST', path, { token, body: { live: 2 } })).body.code).toBe('policy_not_next');
  await rollBackPolicy(app.platform);
});

test('a version that a rule is against stays out of use, and its evaluation says why', async () => {
  const { token, user_id } = await app.registerPlatformAdmin();
  await app.sql.run(sql`
    insert into fit_policies select 3, 1, created_at, jsonb_set(multipliers, '{all,0}', '2'), trained_on
    from fit_policies where version = 2`);
  const asked = await app.request('POST', '/operator/policies/3/promote', { token, body: { live: 1 } });
  expect(asked.status).toBe(202);
  await app.drainQueue();
  const { body } = await app.request('GET', '/operator/policies', { token });
  expect([body.live, body.policies[0].version]).toEqual([1, 3]);
  expect(body.policies[0].evaluation.reasons).toContain('step_too_large');
  expect(await listActs(app, 'policies.promoted', user_id)).toEqual([]);
});

test('an unknown version, one that cannot follow, another live one and bad input are refused, and nothing is queued', async () => {
  const { token } = await app.registerPlatformAdmin();
  const send = (version: string, body: object) =>
    app.request('POST', `/operator/policies/${version}/promote`, { token, body });
  const listQueued = () => app.sql.list(sql`select id from tasks where name = 'learning.promoteVersion'`);
  const before = await listQueued();
  const replies = [
    await send('99', { live: 1 }),
    await send('1', { live: 1 }),
    await send('2', { live: 2 }),
    await send('none', { live: 1 }),
  ];
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
    [404, 'policy_not_found'],
    [409, 'policy_not_next'],
    [409, 'policy_changed'],
    [422, 'field_invalid'],
  ]);
  const bad = await send('2', { live: 0 });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/live']);
  expect(await listQueued()).toEqual(before);
  await expectOperatorOnly(app, 'POST', path, { live: 1 });
});

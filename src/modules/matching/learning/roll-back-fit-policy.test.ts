import { beforeAll, expect, test } from 'vitest';
import { findLivePolicy } from '#modules/matching/matches';
import { startApp } from '#test/harness.ts';
import { insertPlacements } from '#test/modules/learning.ts';
import { runTask } from '#test/modules/matching.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { promotePolicy } from './change-policy.ts';
import { learnFromOutcomes } from './learn.ts';

const app = await startApp();
const path = '/operator/policies/rollback';

beforeAll(async () => {
  await insertPlacements(app, { organisations: 12, jobs: 4, matches: 9, seed: 1 });
  await runTask(app, learnFromOutcomes, {});
});

const readLive = async () => (await findLivePolicy(app.sql)).version;

test('going back puts the version before into use, under the name of who did it, and refuses what was not seen', async () => {
  const { token, user_id } = await app.registerPlatformAdmin();
  const first = await app.request('POST', path, { token, body: { live: 1 } });
  expect([first.status, first.body.code]).toEqual([409, 'policy_is_first']);
  if ((await readLive()) === 1) await promotePolicy(app.platform, { version: '2' });
  const outdated = await app.request('POST', path, { token, body: { live: 1 } });
  expect([outdated.status, outdated.body.code, await readLive()]).toEqual([409, 'policy_changed', 2]);
  const done = await app.request('POST', path, { token, body: { live: 2 } });
  expect([done.status, done.body, await readLive()]).toEqual([200, { live: 1, before: 2 }, 1]);
  expect(await listActs(app, 'policies.rolled_back', user_id)).toMatchObject([
    { detail: { version: 1, before: 2 } },
  ]);
});

test('bad input is refused by the field, and only a platform administrator may go back', async () => {
  const { token } = await app.registerPlatformAdmin();
  const bad = await app.request('POST', path, { token, body: { live: 0 } });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/live']);
  await expectOperatorOnly(app, 'POST', path, { live: 2 });
});

import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { itemBank } from '../items/item-bank.ts';

const built_in = itemBank.parameter_version;
const earlier = 'mvp20-1.judged';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const list = async () => (await app.request('GET', '/operator/calibrations', { token: operator.token })).body;
const requestActivation = (version: string) =>
  app.request('POST', `/operator/calibrations/${version}/activate`, { token: operator.token, body: {} });

test('a version is put into use and back, lists follow when answers are scored, and both acts are recorded', async () => {
  expect((await requestActivation(earlier)).body).toEqual({
    in_use: earlier,
    before: built_in,
    provisional: true,
  });
  expect(await list()).toMatchObject({ in_use: earlier, listed: built_in });
  await app.drainQueue();
  expect(await list()).toMatchObject({ in_use: earlier, listed: earlier });
  expect((await requestActivation(built_in)).status).toBe(200);
  expect(await listActs(app, 'items.put_into_use', operator.user_id)).toMatchObject([
    { actor_role: 'platform_admin', detail: { version: earlier, before: built_in } },
    { detail: { version: built_in, before: earlier } },
  ]);
});

test('an unknown version, a malformed name, and other callers are refused', async () => {
  expect((await requestActivation('made-up')).body.code).toBe('calibration_not_found');
  expect((await requestActivation('a%20b')).body.errors[0].pointer).toBe('/version');
  await expectOperatorOnly(app, 'POST', `/operator/calibrations/${earlier}/activate`, {});
});

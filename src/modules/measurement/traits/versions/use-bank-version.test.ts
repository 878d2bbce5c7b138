import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { listActs } from '#test/modules/operator.ts';
import { itemBank } from '../items/item-bank.ts';

const app = await startApp();
const { token, user_id } = await app.registerPlatformAdmin();
const own = itemBank.parameter_version;
const use = (version: string, as = token) =>
  app.request('POST', `/operator/banks/tessera/versions/${version}/use`, { token: as });

test('a version is put into use with the name of the operator, and back', async () => {
  const used = await use('mvp20-2.anchored');
  expect([used.status, used.body]).toEqual([
    200,
    { in_use: 'mvp20-2.anchored', before: own, provisional: true },
  ]);
  expect(await listActs(app, 'items.put_into_use', user_id)).toHaveLength(1);
  expect((await use(own)).body.in_use).toBe(own);
});

test('refuses what does not exist, other roles, and a login that is too old', async () => {
  expect((await use('none')).body.code).toBe('calibration_not_found');
  const admin = await app.registerOrgAdmin();
  expect((await use(own, admin.token)).body.code).toBe('role_not_allowed');
  app.clock.advance(16 * 60_000);
  expect((await use(own)).body.code).toBe('recent_authentication_required');
});

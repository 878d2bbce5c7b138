import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const list = async () => (await app.request('GET', '/operator/keys', { token: operator.token })).body.keys;
const post = (path: string) =>
  app.request('POST', `/operator/keys/${path}`, { token: operator.token, body: {} });

test('a rotation replaces the keys that sign, and is recorded with who did it', async () => {
  app.clock.advance(1_000);
  const { status, body } = await post('rotate');
  expect([status, body.keys.length]).toEqual([200, 3]);
  const keys: { kid: string; state: string }[] = await list();
  const active = keys.filter(({ state }) => state === 'active').map(({ kid }) => kid);
  expect(active.toSorted()).toEqual(body.keys.map(({ kid }: { kid: string }) => kid).toSorted());
  expect(keys.filter(({ state }) => state === 'retired')).toHaveLength(3);
  expect(await listActs(app, 'keys.rotated', operator.user_id)).toMatchObject([
    { actor_role: 'platform_admin' },
  ]);
});

test('only a platform administrator may rotate them, without fields', async () => {
  await expectOperatorOnly(app, 'POST', '/operator/keys/rotate', {});
  const { token } = operator;
  const { body } = await app.request('POST', '/operator/keys/rotate', {
    token,
    body: { purpose: 'credential' },
  });
  expect(body.errors[0].pointer).toBe('/purpose');
});

import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const list = async () => (await app.request('GET', '/operator/keys', { token: operator.token })).body.keys;

test('the keys are listed with their states, and nothing secret', async () => {
  const keys = await list();
  expect(keys).toHaveLength(3);
  expect(Object.keys(keys[0]).toSorted()).toEqual([
    'algorithm',
    'created_at',
    'kid',
    'purpose',
    'retired_at',
    'revoked_at',
    'state',
  ]);
  expect(keys.map(({ state }: { state: string }) => state)).toEqual(['active', 'active', 'active']);
});

test('only a platform administrator may list them', () => expectOperatorOnly(app, 'GET', '/operator/keys'));

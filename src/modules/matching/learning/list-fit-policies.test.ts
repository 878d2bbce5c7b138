import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

test('the operator reads the versions and the changes of the version in use, and nobody else does', async () => {
  const app = await startApp();
  const operator = await app.registerPlatformAdmin();
  const path = '/operator/policies';
  expect((await app.request('GET', path, { token: operator.token })).body).toMatchObject({
    live: 1,
    policies: [{ version: 1, parent: null, families: [], evaluation: null }],
    uses: [{ version: 1, action: 'start' }],
  });
  expect((await app.request('GET', path)).status).toBe(401);
  for (const { token } of [await app.registerMember(), await app.registerOrgAdmin()])
    expect((await app.request('GET', path, { token })).status).toBe(403);
  expect((await app.request('GET', `${path}?x=1`, { token: operator.token })).status).toBe(422);
});

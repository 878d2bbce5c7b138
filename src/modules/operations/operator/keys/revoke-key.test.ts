import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { logInAgain } from '#test/users.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const list = async () => (await app.request('GET', '/operator/keys', { token: operator.token })).body.keys;
const post = (path: string, token = operator.token) =>
  app.request('POST', `/operator/keys/${path}`, { token, body: {} });

test('a revocation names the key that signs in its place, and is recorded with who did it', async () => {
  const { kid } = app.platform.keys.selectActive('credential');
  const { status, body } = await post(`${kid}/revoke`);
  expect([status, body]).toEqual([
    200,
    { kid, purpose: 'credential', active_kid: app.platform.keys.selectActive('credential').kid },
  ]);
  const key = (await list()).find((each: { kid: string }) => each.kid === kid);
  expect(key).toMatchObject({ state: 'revoked', revoked_at: app.clock.now().toISOString() });
  expect(await listActs(app, 'keys.revoked', operator.user_id)).toMatchObject([{ detail: body }]);
});

test('a revocation needs a recent authentication', async () => {
  const token = await logInAgain(app, operator);
  const { kid } = app.platform.keys.selectActive('credential');
  app.clock.advance(901_000);
  expect((await post(`${kid}/revoke`, token)).body.code).toBe('recent_authentication_required');
  expect(app.platform.keys.selectActive('credential').kid).toBe(kid);
});

test('an unknown key, a malformed id, and other callers are refused', async () => {
  const token = await logInAgain(app, operator);
  expect((await post('made-up/revoke', token)).body.code).toBe('signing_key_not_found');
  expect((await post('a%20b/revoke', token)).body.errors[0].pointer).toBe('/kid');
  await expectOperatorOnly(app, 'POST', '/operator/keys/made-up/revoke', {});
});

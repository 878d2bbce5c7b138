import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { callByKey, createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();

const rotate = (token: string | undefined, id: string, body: unknown = {}) =>
  app.request('POST', `/orgs/me/service-keys/${id}/rotate`, { body, ...(token !== undefined && { token }) });

test('both keys are accepted until the overlap ends, then only the new one', async () => {
  const { token } = await app.registerOrgAdmin();
  const old = await createServiceKey(app, token);
  const { status, body } = await rotate(token, old.id, { overlap_seconds: 600 });
  expect(status).toBe(200);
  expect(body.previous_until).toBe(new Date(app.clock.now().getTime() + 600_000).toISOString());
  expect([await callByKey(app, old.key), await callByKey(app, body.key)]).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  app.clock.advance(600_000);
  expect([await callByKey(app, old.key), await callByKey(app, body.key)]).toEqual([
    [401, 'token_invalid'],
    [200, undefined],
  ]);
});

test('a key that others may know ends at once with overlap_seconds 0, although it was just used', async () => {
  const { token } = await app.registerOrgAdmin();
  const old = await createServiceKey(app, token);
  await callByKey(app, old.key);
  await rotate(token, old.id, { overlap_seconds: 0 });
  expect(await callByKey(app, old.key)).toEqual([401, 'token_invalid']);
});

test('the key acts for the administrator who rotated it, and outlives the account of the one who created it', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const colleague = await createColleague(app, org_id, 'org_admin');
  const old = await createServiceKey(app, colleague.token);
  const { body } = await rotate(token, old.id);
  await app.request('DELETE', `/orgs/me/users/${colleague.user_id}`, { token });
  expect(await callByKey(app, body.key)).toEqual([200, undefined]);
});

test.each([
  [{ overlap_seconds: -1 }, '/overlap_seconds'],
  [{ overlap_seconds: 604_801 }, '/overlap_seconds'],
  [{ expiry_days: 0 }, '/expiry_days'],
  [{ other: 1 }, '/other'],
])('refuses %j', async (input, pointer) => {
  const { token } = await app.registerOrgAdmin();
  const { id } = await createServiceKey(app, token);
  const { status, body } = await rotate(token, id, input);
  expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
});

test('refuses unknown keys, other organisations, other roles and strangers', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id, key } = await createServiceKey(app, token);
  expect((await rotate(token, unknownId)).body.code).toBe('service_key_not_found');
  expect((await rotate((await app.registerOrgAdmin()).token, id)).body.code).toBe('service_key_not_found');
  expect((await rotate((await createColleague(app, org_id)).token, id)).status).toBe(403);
  expect((await rotate(undefined, id)).status).toBe(401);
  expect((await rotate(key, id)).body.code).toBe('row_not_permitted');
});

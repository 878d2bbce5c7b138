import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import {
  callByKey,
  callByOperatorKey,
  createOperatorKey,
  createServiceKey,
} from '#test/modules/service-keys.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();
const path = '/operator/service-keys';
const given = { name: 'Monitoring', permissions: ['GET /operator/health'] };

const create = (changes: object = {}, token = operator.token) =>
  app.request('POST', path, { token, body: { ...given, ...changes } });

test('a key of the operator opens its rows, and none of an organisation', async () => {
  const { status, body } = await create();
  expect([status, body.permissions, body.user_id]).toEqual([201, given.permissions, operator.user_id]);
  expect(await callByOperatorKey(app, body.key)).toEqual([200, undefined]);
  expect(await callByKey(app, body.key)).toEqual([403, 'role_not_allowed']);
  const others = await app.request('GET', '/operator/users', { token: body.key });
  expect([others.status, others.body.code]).toEqual([403, 'row_not_permitted']);
});

test('the administrators of the service are informed', async () => {
  const { id } = await createOperatorKey(app, operator.token);
  await app.drainQueue();
  expect(
    (await app.readMails()).filter(({ to }) => to === operator.email).map(({ subject }) => subject),
  ).toContain('A service key of this service was created');
  expect(await listActs(app, 'service_keys.created', operator.user_id)).toContainEqual(
    expect.objectContaining({ org_id: null, detail: { service_key_id: id } }),
  );
});

test('a key of an organisation is not permitted rows of the operator, and the other way round', async () => {
  const { token } = await app.registerOrgAdmin();
  const body = { ...given, permissions: ['GET /operator/health'] };
  const refused = await app.request('POST', '/orgs/me/service-keys', { token, body });
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/permissions/0']);
  const { status, body: problem } = await create({ permissions: ['GET /orgs/me/jobs'] });
  expect([status, problem.errors[0].pointer]).toEqual([422, '/permissions/0']);
});

test('no key makes keys, of whichever owner', async () => {
  const { key } = await createOperatorKey(app, operator.token);
  for (const permission of ['POST /operator/service-keys', 'POST /operator/work', 'PATCH /auth/me'])
    expect((await create({ permissions: [permission] })).body.errors[0].pointer).toBe('/permissions/0');
  expect((await create({}, key)).body.code).toBe('row_not_permitted');
  const { key: ours } = await createServiceKey(app, (await app.registerOrgAdmin()).token);
  expect((await create({}, ours)).body.code).toBe('role_not_allowed');
});

test('a key stops with the role of the administrator for whom it acts', async () => {
  const admin = await app.registerPlatformAdmin();
  const { key } = await createOperatorKey(app, admin.token);
  await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${admin.user_id}`);
  expect(await callByOperatorKey(app, key)).toEqual([401, 'token_invalid']);
});

test.each([
  [{ name: ' ' }, '/name'],
  [{ permissions: [] }, '/permissions'],
  [{ networks: ['localhost'] }, '/networks/0'],
  [{ expiry_days: 731 }, '/expiry_days'],
  [{ other: 1 }, '/other'],
])('refuses %j', async (changes, pointer) => {
  const { status, body } = await create(changes);
  expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
});

test('only platform administrators may create one', () => expectOperatorOnly(app, 'POST', path, given));

test('what it does is in the audit log with the key, and needs no recent login', async () => {
  const admin = await app.registerPlatformAdmin();
  const { id, key } = await createOperatorKey(app, admin.token, {
    permissions: ['GET /operator/users/{user_id}'],
  });
  app.clock.advance(1_000_000);
  expect((await app.request('GET', `/operator/users/${admin.user_id}`, { token: key })).status).toBe(200);
  expect(await listActs(app, 'auth.account_read', admin.user_id)).toMatchObject([
    { actor_role: 'platform_admin', detail: { service_key_id: id } },
  ]);
});

test('refuses more than fifty keys, and an old login', async () => {
  const { token } = await app.registerPlatformAdmin();
  const keys = (await app.request('GET', `${path}?limit=100`, { token })).body.data;
  for (let count = keys.length; count < 50; count++) await createOperatorKey(app, token);
  expect((await create({}, token)).body.code).toBe('service_key_limit_reached');
  app.clock.advance(901_000);
  expect((await create({}, token)).body.code).toBe('recent_authentication_required');
});

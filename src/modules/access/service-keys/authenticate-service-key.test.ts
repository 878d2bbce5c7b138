import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { callByKey, createServiceKey } from '#test/modules/service-keys.ts';
import { generateKey, isKey } from './key-text.ts';

const app = await startApp();
const day_ms = 86_400_000;

const callWith = (authorization: string) =>
  app.request('GET', '/orgs/me/jobs', { headers: { authorization } });

const encodeBasic = (name: string, password = '') =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

test('a key opens its rows as Bearer and as HTTP Basic, and no other row', async () => {
  const { token } = await app.registerOrgAdmin();
  const { key } = await createServiceKey(app, token);
  for (const authorization of [`Bearer ${key}`, `bearer ${key}`, encodeBasic(key), encodeBasic(key, 'x')])
    expect((await callWith(authorization)).status).toBe(200);
  const { status, body } = await app.request('GET', '/orgs/me', { token: key });
  expect([status, body.code]).toEqual([403, 'row_not_permitted']);
  expect(body.detail).toContain('GET /orgs/me');
});

test('what a key does is in the audit log with the key, and needs no recent login', async () => {
  const { token, user_id } = await app.registerOrgAdmin();
  const { key, id } = await createServiceKey(app, token, { permissions: ['PATCH /orgs/me', 'GET /orgs/me'] });
  app.clock.advance(day_ms);
  await app.request('PATCH', '/orgs/me', { token: key, body: { industry: 'Health care' } });
  const entries = await app.sql.list(sql`
    select actor_user_id, detail from audit_log
    where detail->>'service_key_id' = ${id} and action <> 'service_keys.created'`);
  expect(entries).toEqual([
    { actor_user_id: user_id, detail: expect.objectContaining({ service_key_id: id }) },
  ]);
});

test('damaged, unknown and foreign credentials are refused without a look-up that succeeds', async () => {
  const { token } = await app.registerOrgAdmin();
  const { key } = await createServiceKey(app, token);
  const damaged = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  for (const authorization of [
    `Bearer ${damaged}`,
    `Bearer ${generateKey()}`,
    'Bearer tsk_',
    encodeBasic(damaged),
    encodeBasic('somebody', key),
    'Basic !!!',
  ])
    expect([authorization, (await callWith(authorization)).status]).toEqual([authorization, 401]);
  expect([isKey(key), isKey(damaged)]).toEqual([true, false]);
});

test('a key is accepted only from its networks', async () => {
  const { token } = await app.registerOrgAdmin();
  const far = await createServiceKey(app, token, { networks: ['203.0.113.0/24', '2001:db8::/32'] });
  expect(await callByKey(app, far.key)).toEqual([403, 'network_not_allowed']);
  const near = await createServiceKey(app, token, { networks: ['127.0.0.0/8'] });
  expect(await callByKey(app, near.key)).toEqual([200, undefined]);
});

test('a key ends with the account that it acts for', async () => {
  const { token, user_id } = await app.registerOrgAdmin();
  const { key } = await createServiceKey(app, token);
  await app.sql.run(sql`update users set removed_at = ${app.clock.now()} where id = ${user_id}`);
  expect(await callByKey(app, key)).toEqual([401, 'token_invalid']);
});

test('a key ends when it expires, and stops while the organisation is suspended', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { key } = await createServiceKey(app, token, { expiry_days: 1 });
  await app.sql.run(sql`update organisations set suspended_at = ${app.clock.now()} where id = ${org_id}`);
  expect(await callByKey(app, key)).toEqual([401, 'token_invalid']);
  await app.sql.run(sql`update organisations set suspended_at = null where id = ${org_id}`);
  expect(await callByKey(app, key)).toEqual([200, undefined]);
  app.clock.advance(day_ms);
  expect(await callByKey(app, key)).toEqual([401, 'token_expired']);
});

test('a key has its own rate limit and its own Idempotency-Keys', async () => {
  const { token } = await app.registerOrgAdmin();
  const [one, other] = [await createServiceKey(app, token), await createServiceKey(app, token)];
  const body = {
    title: 'Archivist',
    outcome_description: 'The archive is in order.',
    trait_priorities: { empathic_attunement: 1 },
  };
  const create = (key: string) =>
    app.request('POST', '/orgs/me/jobs', { token: key, body, headers: { 'idempotency-key': 'job-1' } });
  const ids = [await create(one.key), await create(one.key), await create(other.key)].map(
    (each) => each.body.id,
  );
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test('a key that is older than the rule answers no human review', async () => {
  const { token } = await app.registerOrgAdmin();
  const { key, id } = await createServiceKey(app, token);
  await app.sql.run(
    sql`update service_keys set permissions = ${['POST /matches/{match_id}/review/answer']} where id = ${id}`,
  );
  const path = `/matches/${id}/review/answer`;
  const body = { outcome: 'upheld', answer: 'The earlier decision stays.' };
  const reply = await app.request('POST', path, { token: key, body });
  expect([reply.status, reply.body.code]).toEqual([403, 'row_not_permitted']);
});

test('a key in use is looked up again beside the requests, and ends there as well', async () => {
  const { token } = await app.registerOrgAdmin();
  const [kept, deleted] = [await createServiceKey(app, token), await createServiceKey(app, token)];
  for (const { key } of [kept, deleted]) expect(await callByKey(app, key)).toEqual([200, undefined]);
  // The clock stands still, so no request looks up a key that it knows.
  await app.sql.run(sql`delete from service_keys where id = ${deleted.id}`);
  await expect.poll(() => callByKey(app, deleted.key), { timeout: 5_000 }).toEqual([401, 'token_invalid']);
  expect(await callByKey(app, kept.key)).toEqual([200, undefined]);
});

test('a remembered key acts with the role that its user has now, although no request looks it up', async () => {
  const { token, user_id } = await app.registerOrgAdmin();
  const { key } = await createServiceKey(app, token, {
    permissions: ['GET /orgs/me/jobs', 'PATCH /orgs/me'],
  });
  const change = async () => {
    const reply = await app.request('PATCH', '/orgs/me', { token: key, body: { industry: 'Health care' } });
    return [reply.status, reply.body.code];
  };
  expect(await change()).toEqual([200, undefined]);
  await app.sql.run(sql`update users set role = 'org_viewer' where id = ${user_id}`);
  await expect.poll(change, { timeout: 5_000 }).toEqual([403, 'role_not_allowed']);
});

test('after a pause the changes are read before a remembered key is accepted', async () => {
  const { token } = await app.registerOrgAdmin();
  const [kept, deleted] = [await createServiceKey(app, token), await createServiceKey(app, token)];
  for (const { key } of [kept, deleted]) expect(await callByKey(app, key)).toEqual([200, undefined]);
  await app.sql.run(sql`delete from service_keys where id = ${deleted.id}`);
  app.clock.advance(1_000);
  expect(await callByKey(app, deleted.key)).toEqual([401, 'token_invalid']);
  await app.sql.run(sql`delete from service_keys where id = ${kept.id}`);
  app.clock.advance(3_600_000);
  expect(await callByKey(app, kept.key)).toEqual([401, 'token_invalid']);
});

test('a change behind many others is read in the same look', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id, key } = await createServiceKey(app, token);
  expect(await callByKey(app, key)).toEqual([200, undefined]);
  await app.sql.run(sql`
    insert into service_key_changes (service_key_id) select gen_random_uuid() from generate_series(1, 10001)`);
  await app.sql.run(sql`delete from service_keys where id = ${id}`);
  app.clock.advance(1_000);
  expect(await callByKey(app, key)).toEqual([401, 'token_invalid']);
});

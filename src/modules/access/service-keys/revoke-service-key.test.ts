import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { cloneDatabase, startApp, unknownId } from '#test/harness.ts';
import { callByKey, createServiceKey } from '#test/modules/service-keys.ts';

const settings = await cloneDatabase();
const environment = { TESSERA_MASTER_KEY: randomBytes(32).toString('base64') };
const app = await startApp(environment, settings);

const revoke = (token: string | undefined, id: string) =>
  app.request('DELETE', `/orgs/me/service-keys/${id}`, token === undefined ? {} : { token });

test('a key ends at once where it is revoked, and within a second on other processes', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id, key } = await createServiceKey(app, token);
  const other = await startApp(environment, settings);
  const callElsewhere = async () => (await other.request('GET', '/orgs/me/jobs', { token: key })).status;
  expect([await callByKey(app, key), await callElsewhere()]).toEqual([[200, undefined], 200]);
  expect((await revoke(token, id)).status).toBe(204);
  expect(await callByKey(app, key)).toEqual([401, 'token_invalid']);
  other.clock.advance(1_000);
  expect(await callElsewhere()).toBe(401);
});

test('the audit log has the end of the key', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id } = await createServiceKey(app, token);
  await revoke(token, id);
  const { body } = await app.request('GET', '/audit-log', { token });
  expect(body.data[0]).toMatchObject({ action: 'service_keys.revoked', detail: { service_key_id: id } });
});

test('refuses unknown keys, other organisations, other roles and strangers', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id, key } = await createServiceKey(app, token);
  expect((await revoke(token, unknownId)).body.code).toBe('service_key_not_found');
  expect((await revoke((await app.registerOrgAdmin()).token, id)).body.code).toBe('service_key_not_found');
  expect((await revoke((await createColleague(app, org_id)).token, id)).status).toBe(403);
  expect((await revoke(undefined, id)).status).toBe(401);
  expect(await callByKey(app, key)).toEqual([200, undefined]);
});

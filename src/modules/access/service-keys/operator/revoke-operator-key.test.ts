import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { callByOperatorKey, createOperatorKey, createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const revoke = (id: string, token = operator.token) =>
  app.request('DELETE', `/operator/service-keys/${id}`, { token });

test('a revoked key is refused at once, and the audit log names it', async () => {
  const { id, key } = await createOperatorKey(app, operator.token);
  await callByOperatorKey(app, key);
  expect((await revoke(id)).status).toBe(204);
  expect(await callByOperatorKey(app, key)).toEqual([401, 'token_invalid']);
  expect(await listActs(app, 'service_keys.revoked', operator.user_id)).toMatchObject([
    { org_id: null, detail: { service_key_id: id } },
  ]);
});

test('a key that was found in a public place is revoked, and the administrators are informed', async () => {
  const { key } = await createOperatorKey(app, operator.token);
  await app.request('POST', '/service-keys/report', { body: { key } });
  expect(await callByOperatorKey(app, key)).toEqual([401, 'token_invalid']);
  await app.drainQueue();
  expect(
    (await app.readMails()).filter(({ to }) => to === operator.email).map(({ subject }) => subject),
  ).toContain('A service key of this service was revoked');
});

test('refuses unknown ids, keys of organisations, and what is no id', async () => {
  const { token } = await app.registerOrgAdmin();
  const theirs = await createServiceKey(app, token);
  for (const each of [unknownId, theirs.id])
    expect((await revoke(each)).body.code).toBe('service_key_not_found');
  expect((await revoke('x')).status).toBe(422);
  const { id } = await createOperatorKey(app, operator.token);
  const reply = await app.request('DELETE', `/orgs/me/service-keys/${id}`, { token });
  expect(reply.body.code).toBe('service_key_not_found');
});

test('only platform administrators may revoke one', () =>
  expectOperatorOnly(app, 'DELETE', `/operator/service-keys/${unknownId}`));

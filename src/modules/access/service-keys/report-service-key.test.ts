import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { callByKey, createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();

const report = (key: unknown) => app.request('POST', '/service-keys/report', { body: { key } });

test('anyone who knows a key can end it, and the administrators receive an email', async () => {
  const { token, email } = await app.registerOrgAdmin();
  const { key, id } = await createServiceKey(app, token);
  await callByKey(app, key);
  expect((await report(key)).status).toBe(204);
  expect(await callByKey(app, key)).toEqual([401, 'token_invalid']);
  await app.drainQueue();
  expect((await app.readMails()).filter(({ to }) => to === email).map(({ subject }) => subject)).toContain(
    'A service key of your organisation was revoked',
  );
  const { body } = await app.request('GET', '/audit-log', { token });
  expect(body.data[0]).toMatchObject({
    action: 'service_keys.reported',
    detail: { service_key_id: id },
  });
});

test('the key before a rotation can be reported as well while it is accepted', async () => {
  const { token } = await app.registerOrgAdmin();
  const old = await createServiceKey(app, token);
  const { body } = await app.request('POST', `/orgs/me/service-keys/${old.id}/rotate`, { token, body: {} });
  await report(old.key);
  expect(await callByKey(app, body.key)).toEqual([401, 'token_invalid']);
});

test.each([['tsk_unknown'], [`tsk_${'0'.repeat(68)}`], ['other']])(
  'the reply for %s is the same, and nothing changes',
  async (unknown) => {
    const { token } = await app.registerOrgAdmin();
    const { key } = await createServiceKey(app, token);
    expect((await report(unknown)).status).toBe(204);
    expect(await callByKey(app, key)).toEqual([200, undefined]);
  },
);

test('refuses a body without a key', async () => {
  for (const key of [undefined, 1, '', 'x'.repeat(201)]) expect((await report(key)).status).toBe(422);
});

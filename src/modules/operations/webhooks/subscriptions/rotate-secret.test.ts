import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createSubscription, emitProposal } from '#test/modules/webhooks.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

const rotate = (token: string | undefined, id: string, body: unknown = {}) =>
  app.request('POST', `/webhooks/${id}/rotate-secret`, { body, ...(token !== undefined && { token }) });

test('until the overlap ends, receivers with the old or the new secret accept deliveries; then only with the new one', async () => {
  const { token, org_id, email, password } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id, secret: old } = await createSubscription(app, token, { url: receiver.url });
  const { status, body } = await rotate(token, id, { overlap_seconds: 3_600 });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    secret: expect.stringMatching(/^whsec_/),
    previous_secret_expires_at: new Date(app.clock.now().getTime() + 3_600_000).toISOString(),
  });
  expect(body.secret).not.toBe(old);

  const isAccepted = async (secret: string) => {
    receiver.secrets = [secret];
    receiver.received.length = 0;
    await emitProposal(app, org_id);
    await app.drainQueue();
    return receiver.received[0]!.event !== undefined;
  };
  expect([await isAccepted(old), await isAccepted(body.secret)]).toEqual([true, true]);
  app.clock.advance(3_600_000);
  expect(await isAccepted(body.secret)).toBe(true);
  expect(receiver.received[0]!.headers).not.toHaveProperty('x-service-signature-previous');
  expect(await isAccepted(old)).toBe(false);
  const again = await app.request('POST', '/auth/login', { body: { email, password } });
  expect(again.status).toBe(200);
});

test('a secret that others may know ends at once with overlap_seconds 0', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  const secret = 'a-new-secret-of-the-client';
  const { body } = await rotate(token, id, { secret, overlap_seconds: 0 });
  expect(body).toMatchObject({ secret, previous_secret_expires_at: null });
  receiver.secrets = [secret];
  await emitProposal(app, org_id);
  await app.drainQueue();
  expect(receiver.received[0]!.event).toBeDefined();
  expect(receiver.received[0]!.headers).not.toHaveProperty('x-service-signature-previous');
});

test.each([
  [{ secret: 'short' }, '/secret'],
  [{ secret: 'whsec_!' }, '/secret'],
  [{ overlap_seconds: -1 }, '/overlap_seconds'],
  [{ overlap_seconds: 604_801 }, '/overlap_seconds'],
  [{ other: 1 }, '/other'],
])('rejects %j at %j', async (body, pointer) => {
  const { token } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  const response = await rotate(token, id, body);
  expect([response.status, response.body.code]).toEqual([422, 'field_invalid']);
  expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
});

test('only an administrator of the same organisation may rotate a secret', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { id } = await createSubscription(app, ours.token, { url: 'https://hooks.example.org/' });
  for (const [token, each] of [
    [theirs.token, id],
    [ours.token, unknownId],
  ] as const)
    expect((await rotate(token, each)).body.code).toBe('webhook_not_found');
  const viewer = await createColleague(app, ours.org_id, 'org_viewer');
  expect((await rotate(viewer.token, id)).body.code).toBe('role_not_allowed');
  expect((await rotate(undefined, id)).status).toBe(401);
});

import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createSubscription, emitProposal } from '#test/modules/webhooks.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

async function createHistory() {
  const admin = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, admin.token, { url: receiver.url });
  await emitProposal(app, admin.org_id);
  await app.drainQueue();
  await app.request('PATCH', `/webhooks/${id}`, { token: admin.token, body: { is_active: false } });
  await emitProposal(app, admin.org_id);
  await app.drainQueue();
  const list = async (query: string) =>
    (await app.request('GET', `/webhooks/${id}/deliveries?${query}`, { token: admin.token })).body;
  return { ...admin, id, list };
}

test('administrators and viewers read one delivery as the list has it', async () => {
  const { org_id, token, id, list } = await createHistory();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  for (const delivery of (await list('')).data)
    for (const each of [token, viewer.token])
      expect(
        (await app.request('GET', `/webhooks/${id}/deliveries/${delivery.id}`, { token: each })).body,
      ).toEqual(delivery);
});

test('the list has only deliveries with the status and of the event that were asked for', async () => {
  const { list } = await createHistory();
  expect((await list('status=failed')).data).toMatchObject([
    { status: 'failed', error: 'subscription_inactive' },
  ]);
  expect((await list('status=delivered')).pagination.total_count).toBe(1);
  expect((await list('event_type=match.proposed')).data).toHaveLength(2);
  expect((await list('event_type=match.accepted')).data).toEqual([]);
  expect((await list('status=failed&event_type=webhook.test')).data).toEqual([]);
});

test('an unknown delivery, one of another subscription or organisation, and other roles are refused', async () => {
  const { org_id, token, id, list } = await createHistory();
  const path = `/webhooks/${id}/deliveries/${(await list('')).data[0].id}`;
  const read = async (at: string, by: string | undefined) =>
    (await app.request('GET', at, { ...(by !== undefined && { token: by }) })).body.code;
  expect(await read(`/webhooks/${id}/deliveries/${unknownId}`, token)).toBe('webhook_delivery_not_found');
  const other = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  expect(await read(path.replace(id, other.id), token)).toBe('webhook_delivery_not_found');
  expect(await read(path, (await app.registerOrgAdmin()).token)).toBe('webhook_not_found');
  expect(await read(path, (await createColleague(app, org_id, 'auditor')).token)).toBe('role_not_allowed');
  expect((await app.request('GET', path)).status).toBe(401);
});

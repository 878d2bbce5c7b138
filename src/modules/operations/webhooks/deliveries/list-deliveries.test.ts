import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createSubscription, emitProposal } from '#test/modules/webhooks.ts';
import { proves } from '#test/requirements.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

test('administrators and viewers page through deliveries with their outcome, the newest first', async () => {
  proves(
    'webhook-deliveries-endpoint-org-admin-or-viewer',
    'webhook-deliveries-query-parameters',
    'open-webhook-delivery-record-fields',
  );
  const { token, org_id } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  for (let number = 0; number < 3; number++) {
    await emitProposal(app, org_id);
    await app.drainQueue();
    app.clock.advance(1_000);
  }
  const viewer = await createColleague(app, org_id, 'org_viewer');
  const readPage = async (query: string) =>
    (await app.request('GET', `/webhooks/${id}/deliveries?limit=2${query}`, { token: viewer.token })).body;
  const first = await readPage('');
  const second = await readPage(`&cursor=${first.pagination.next_cursor}`);
  expect([first.pagination.total_count, first.data.length, second.data.length]).toEqual([3, 2, 1]);
  const received = receiver.received.toReversed();
  expect([...first.data, ...second.data]).toEqual(
    received.map(({ headers, text }) => ({
      id: headers['x-service-delivery'],
      subscription_id: id,
      event_id: JSON.parse(text).id,
      event_type: 'match.proposed',
      status: 'delivered',
      attempt: 1,
      response_status: 200,
      response_excerpt: 'ok',
      duration_ms: expect.any(Number),
      error: null,
      next_attempt_at: null,
      attempts: [
        {
          attempted_at: expect.any(String),
          response_status: 200,
          duration_ms: expect.any(Number),
          error: null,
        },
      ],
      request_body: text,
      created_at: expect.any(String),
    })),
  );
});

test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', 'status=lost', 'event_type=match.lost'])(
  'rejects the query %s',
  async (query) => {
    const { token } = await app.registerOrgAdmin();
    const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
    const { status } = await app.request('GET', `/webhooks/${id}/deliveries?${query}`, { token });
    expect([400, 422]).toContain(status);
  },
);

test('a subscription of another organisation and the other roles are refused', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { id } = await createSubscription(app, theirs.token, { url: 'https://hooks.example.org/' });
  for (const each of [id, unknownId]) {
    const { status, body } = await app.request('GET', `/webhooks/${each}/deliveries`, { token: ours.token });
    expect([status, body.code]).toEqual([404, 'webhook_not_found']);
  }
  const auditor = await createColleague(app, theirs.org_id, 'auditor');
  const refused = await app.request('GET', `/webhooks/${id}/deliveries`, { token: auditor.token });
  expect(refused.body.code).toBe('role_not_allowed');
  expect((await app.request('GET', `/webhooks/${id}/deliveries`)).status).toBe(401);
});

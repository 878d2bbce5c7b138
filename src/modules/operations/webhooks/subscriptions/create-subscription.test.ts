import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { computeOnce } from '#lib/cache-results.ts';
import { startApp } from '#test/harness.ts';
import { createSubscription } from '#test/modules/webhooks.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const url = 'https://hooks.example.org/tessera';
const subscribe = (token: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
  app.request('POST', '/webhooks/', { body, headers, ...(token !== undefined && { token }) });
const listUrls = async (token: string) =>
  (await app.request('GET', '/webhooks/', { token })).body.data.map((each: { url: string }) => each.url);

test('an administrator subscribes a URL to events with a secret of their own, which the reply shows once', async () => {
  proves(
    'webhook-create-endpoint-org-admin',
    'webhook-create-request-fields',
    'webhook-subscription-fields',
    'webhook-secret-accepted-on-registration',
    'webhook-planned-events-can-be-subscribed',
  );
  const { token, org_id, user_id } = await app.registerOrgAdmin();
  const secret = 'a-secret-of-the-client';
  const events = ['match.accepted', 'placement.created'];
  const { status, body, headers } = await subscribe(token, { url, events, secret });
  expect([status, headers['location']]).toEqual([201, expect.stringMatching(`/api/v1/webhooks/${body.id}$`)]);
  expect(body).toEqual({
    id: expect.any(String),
    org_id,
    url,
    events,
    secret,
    is_active: true,
    failure_count: 0,
    previous_secret_expires_at: null,
    created_at: app.clock.now().toISOString(),
  });
  const { secret: _, ...shown } = body;
  expect((await app.request('GET', `/webhooks/${body.id}`, { token })).body).toEqual(shown);
  expect(
    await app.sql.list(sql`
      select actor_user_id, detail from audit_log where org_id = ${org_id} and action = 'webhooks.created'`),
  ).toEqual([{ actor_user_id: user_id, detail: { subscription_id: body.id } }]);
});

test('without events it subscribes to all, and without a secret it gets a generated one', async () => {
  const { token } = await app.registerOrgAdmin();
  const [one, other] = [
    await createSubscription(app, token, { url }),
    await createSubscription(app, token, { url }),
  ];
  expect(one).toMatchObject({
    events: [
      'attestation.issued',
      'attestation.revoked',
      'match.proposed',
      'match.accepted',
      'match.declined',
      'placement.created',
      'placement.updated',
      'match.interest_withdrawn',
      'match.withdrawn',
      'match.expired',
      'job.closed',
      'match.reopened',
      'invitation.updated',
    ],
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  expect(one.secret).not.toBe(other.secret);
});

test('no table contains the secret in readable form', async () => {
  const { token } = await app.registerOrgAdmin();
  const secret = 'a-very-recognisable-secret';
  await subscribe(token, { url, secret }, { 'idempotency-key': 'subscribe-1' });
  const { is_stored } = await app.sql.one(sql<{ is_stored: boolean }>`
    select exists (select from webhook_subscriptions each where each::text like ${`%${secret}%`})
      or exists (select from idempotency_keys each where each::text like ${`%${secret}%`})
      or exists (select from audit_log each where each::text like ${`%${secret}%`}) as is_stored`);
  expect(is_stored).toBe(false);
});

test('the scheme of a URL may be in capitals, as in every URL', async () => {
  const { token } = await app.registerOrgAdmin();
  const { status } = await subscribe(token, { url: 'HTTPS://hooks.example.org/' });
  expect(status).toBe(201);
  expect((await subscribe(token, { url: 'HTTP://hooks.example.org/' })).status).toBe(422);
});

test('a request retried with its Idempotency-Key subscribes once and gets the same secret', async () => {
  const { token } = await app.registerOrgAdmin();
  const headers = { 'idempotency-key': 'subscribe-2' };
  const first = await subscribe(token, { url }, headers);
  expect((await subscribe(token, { url }, headers)).body).toEqual(first.body);
  expect(await listUrls(token)).toHaveLength(1);
});

test('an organisation has at most 20 subscriptions, even if requests race', async () => {
  proves('open-webhook-subscription-count');
  const { token } = await app.registerOrgAdmin();
  const replies = await Promise.all(Array.from({ length: 23 }, () => subscribe(token, { url })));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
  const refused = replies.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(3);
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    refused.map(() => [409, 'webhook_limit_reached']),
  );
  const other = await app.registerOrgAdmin();
  expect((await subscribe(other.token, { url })).status).toBe(201);
});

/** One organisation for all refusals, because each registration hashes a password. */
const getRefusedAdmin = computeOnce(() => app.registerOrgAdmin());

test.each([
  [{}, '/url'],
  [{ url: 'http://hooks.example.org/' }, '/url'],
  [{ url: 'ftp://hooks.example.org/' }, '/url'],
  [{ url: 'hooks.example.org' }, '/url'],
  [{ url: 'https://' }, '/url'],
  [{ url: 'https://user@hooks.example.org/' }, '/url'],
  [{ url: 'https://user:password@hooks.example.org/' }, '/url'],
  [{ url: 'https://hooks.example.org:25/' }, '/url'],
  [{ url: 'https://hooks.example.org/a b' }, '/url'],
  [{ url: `https://hooks.example.org/${'x'.repeat(1_000)}` }, '/url'],
  [{ url: 'https://127.0.0.1/' }, '/url'],
  [{ url: 'https://2130706433/' }, '/url'],
  [{ url: 'https://0x7f.1/' }, '/url'],
  [{ url: 'https://10.0.0.1/' }, '/url'],
  [{ url: 'https://169.254.169.254/latest/' }, '/url'],
  [{ url: 'https://[::1]/' }, '/url'],
  [{ url: 'https://[::ffff:10.0.0.1]/' }, '/url'],
  [{ url: 'https://[fd00::1]/' }, '/url'],
  [{ url: 'https://localhost/' }, '/url'],
  [{ url: 'https://a.localhost./' }, '/url'],
  [{ url, events: [] }, '/events'],
  [{ url, events: ['match.imagined'] }, '/events/0'],
  [{ url, events: ['webhook.test'] }, '/events/0'],
  [{ url, events: ['match.accepted', 'match.accepted'] }, '/events'],
  [{ url, secret: 'too-short' }, '/secret'],
  [{ url, secret: 'x'.repeat(129) }, '/secret'],
  [{ url, secret: 'a secret with spaces' }, '/secret'],
  [{ url, secret: 'whsec_c2hvcnQtYnV0LWxvbmc=' }, '/secret'],
  [{ url, org_id: '2a7d4c18-93f5-4b61-8c0e-5d2f1b3a4c67' }, '/org_id'],
])('rejects %j at %j and subscribes nothing', async (body, pointer) => {
  proves('webhook-url-is-https');
  const { token } = await getRefusedAdmin();
  const response = await subscribe(token, body);
  expect([response.status, response.body.code]).toEqual([422, 'field_invalid']);
  expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  expect(await listUrls(token)).toEqual([]);
});

test('only administrators of an organisation may subscribe', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const others = [
    await createColleague(app, org_id, 'org_viewer'),
    await createColleague(app, org_id, 'auditor'),
    await app.registerMember(),
    await app.registerPlatformAdmin(),
  ];
  for (const other of others) {
    const { status, body } = await subscribe(other.token, { url });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
  expect((await subscribe(undefined, { url })).status).toBe(401);
  expect(await listUrls(token)).toEqual([]);
});

test.each(['http://localhost:3000/hook', 'https://localhost:3000/hook', 'https://10.0.0.1/'])(
  'the refusal of %s names the variable that permits it in development',
  async (at) => {
    const { token } = await getRefusedAdmin();
    const { body } = await subscribe(token, { url: at });
    expect(body.errors[0].reason).toContain('TESSERA_WEBHOOK_ALLOW_PRIVATE=true');
  },
);

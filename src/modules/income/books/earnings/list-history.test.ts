import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { recordSoldRead } from '#test/modules/books.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const listHistory = (token: string, query = '') =>
  app.request('GET', `/orgs/queries/earnings/history${query}`, { token });

test('the member sees who read what, when and for how much', async () => {
  proves('earnings-history-endpoint-jwt', 'open-shape-earnings-history-response');
  const { token, member_id } = await app.registerMember();
  const { org_id } = await app.registerOrgAdmin({ name: 'River Murray Trust' });
  const paid = await recordSoldRead(app, member_id, { gross: 250_000n, org_id, hold_seconds: 60 });
  app.clock.advance(1_000);
  const free = await recordSoldRead(app, member_id, { org_id, data_type: 'archetype' });
  const sold_at = app.clock.now().getTime() - 1_000;
  const { body } = await listHistory(token);
  expect(body).toEqual({
    data: [
      {
        id: free,
        org_id,
        organisation_name: 'River Murray Trust',
        data_type: 'archetype',
        payment_type: 'allowance',
        protocol_version: null,
        price: 0,
        price_aud: null,
        earned: 0,
        share: 0.75,
        status: 'recognition',
        available_at: null,
        created_at: new Date(sold_at + 1_000).toISOString(),
      },
      {
        id: paid,
        org_id,
        organisation_name: 'River Murray Trust',
        data_type: 'trait_profile',
        payment_type: 'x402',
        protocol_version: 'mock',
        price: 0.25,
        price_aud: null,
        earned: 0.1875,
        share: 0.75,
        status: 'pending',
        available_at: new Date(sold_at + 60_000).toISOString(),
        created_at: new Date(sold_at).toISOString(),
      },
    ],
    pagination: { limit: 20, offset: 0, has_more: false, total_count: 2 },
  });
  app.clock.advance(60_000);
  expect((await listHistory(token)).body.data[1].status).toBe('settled');
});

test('pages by limit and offset visit every read once', async () => {
  proves('page-earnings-history-limit-default-20', 'page-earnings-history-uses-offset');
  const { token, member_id } = await app.registerMember();
  for (let read = 0; read < 23; read++) await recordSoldRead(app, member_id, { gross: 50_000n });
  const first = (await listHistory(token)).body;
  const second = (await listHistory(token, '?offset=20')).body;
  expect([first.data.length, second.data.length]).toEqual([20, 3]);
  expect([first.pagination.has_more, second.pagination.has_more]).toEqual([true, false]);
  const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(23);
  expect((await listHistory(token, '?offset=23&limit=5')).body.data).toEqual([]);
});

test.each(['?limit=0', '?limit=101', '?limit=x', '?offset=-1', '?offset=100001', '?offset=1.5', '?cursor=x'])(
  'rejects the query %s',
  async (query) => {
    const { token } = await app.registerMember();
    expect([400, 422]).toContain((await listHistory(token, query)).status);
  },
);

test('is the member’s own: organisations are refused, and members see nobody else’s', async () => {
  expect((await app.request('GET', '/orgs/queries/earnings/history')).status).toBe(401);
  const [{ member_id }, other] = [await app.registerMember(), await app.registerMember()];
  await recordSoldRead(app, member_id, { gross: 50_000n });
  expect((await listHistory(other.token)).body.data).toEqual([]);
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await listHistory(token);
  expect([status, body.code]).toEqual([403, 'role_not_allowed']);
});

import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { sample_destination as destination, recordSoldRead } from '#test/modules/books.ts';

const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });

test('a member pages through payouts, the newest first, and sees nobody else’s', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  for (const { member_id } of [member, other])
    await recordSoldRead(app, member_id, { gross: 10_000_000n, hold_seconds: 0 });
  for (const [{ token }, amount] of [
    [member, 1],
    [other, 2],
    [member, 3],
    [member, 1.5],
  ] as const) {
    await app.request('POST', '/members/me/payouts', { token, body: { amount, destination } });
    await app.drainQueue();
    app.clock.advance(1_000);
  }
  const readPage = async (query: string) =>
    (await app.request('GET', `/members/me/payouts?limit=2${query}`, { token: member.token })).body;
  const first = await readPage('');
  const second = await readPage(`&cursor=${first.pagination.next_cursor}`);
  const listed = [...first.data, ...second.data];
  expect(listed.map(({ amount }: { amount: number }) => amount)).toEqual([1.5, 3, 1]);
  expect(listed[0]).toMatchObject({
    status: 'paid',
    transaction_hash: `mock:${listed[0].id}`,
    ended_at: expect.any(String),
  });
  expect([first.pagination.total_count, second.pagination.has_more]).toEqual([3, false]);
});

test.each(['limit=0', 'limit=101', 'cursor=nonsense', 'status=paid'])(
  'rejects the query %s',
  async (query) => {
    const { token } = await app.registerMember();
    const { status } = await app.request('GET', `/members/me/payouts?${query}`, { token });
    expect([400, 422]).toContain(status);
  },
);

test('only members have payouts', async () => {
  expect((await app.request('GET', '/members/me/payouts')).status).toBe(401);
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('GET', '/members/me/payouts', { token })).body.code).toBe('role_not_allowed');
});

import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buyProfile, createMarket } from '#test/modules/marketplace.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp({ TESSERA_AUD_PER_USD: '1.6' });
const market = await createMarket(app);
for (const price_aud of [0.8, 1.6]) {
  app.clock.advance(1_000);
  await buyProfile(app, market, price_aud);
}

proves('marketplace-my-earnings-endpoint-jwt', 'open-shape-marketplace-my-earnings-response');
test('a member sees what was paid and earned, newest first, page by page', async () => {
  const read = (query = '') =>
    app.request('GET', `/marketplace/my-earnings${query}`, { token: market.member.token });
  const { body } = await read('?limit=1');
  expect(body).toMatchObject({ total_earned_usd: 1.125, total_price_aud: 2.4, transaction_count: 2 });
  expect(body.data).toMatchObject([{ price_aud: 1.6, member_id: market.member.member_id }]);
  const next = (await read(`?limit=1&cursor=${body.pagination.next_cursor}`)).body;
  expect(next.data).toMatchObject([{ price_aud: 0.8 }]);
  expect(next.pagination.has_more).toBe(false);
});

test('a member whose data nobody bought sees zeros', async () => {
  const { token } = await app.registerMember();
  const { body } = await app.request('GET', '/marketplace/my-earnings', { token });
  expect(body).toMatchObject({ total_earned_usd: 0, total_price_aud: 0, transaction_count: 0, data: [] });
});

test('organisations are refused', async () => {
  const { status } = await app.request('GET', '/marketplace/my-earnings', { token: market.org.token });
  expect(status).toBe(403);
});

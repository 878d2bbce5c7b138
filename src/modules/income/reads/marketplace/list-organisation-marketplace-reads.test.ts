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

proves('marketplace-my-purchases-endpoint-jwt', 'open-shape-marketplace-my-purchases-response');
test('an organisation sees what it has spent, newest first, with the names by which it bought', async () => {
  const read = (query = '') =>
    app.request('GET', `/marketplace/my-purchases${query}`, { token: market.org.token });
  const { body } = await read('?limit=1');
  expect(body).toMatchObject({ total_spend_aud: 2.4, total_spend_usd: 1.5, transaction_count: 2 });
  expect(body.data).toMatchObject([{ price_aud: 1.6, member_id: market.alias }]);
  const next = (await read(`?limit=1&cursor=${body.pagination.next_cursor}`)).body;
  expect(next.data).toMatchObject([{ price_aud: 0.8 }]);
});

test('another organisation sees none of it, and members are refused', async () => {
  const { token } = await app.registerOrgAdmin();
  const { body } = await app.request('GET', '/marketplace/my-purchases', { token });
  expect(body).toMatchObject({ transaction_count: 0, data: [] });
  const refused = await app.request('GET', '/marketplace/my-purchases', { token: market.member.token });
  expect(refused.status).toBe(403);
});

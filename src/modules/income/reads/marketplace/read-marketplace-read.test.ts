import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { buyProfile, createMarket } from '#test/modules/marketplace.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp({ TESSERA_AUD_PER_USD: '1.6' });
const market = await createMarket(app);
for (const price_aud of [0.8, 1.6]) {
  app.clock.advance(1_000);
  await buyProfile(app, market, price_aud);
}

proves('marketplace-transaction-get-endpoint-party-only', 'open-shape-marketplace-transaction-get-response');
test('both parties read a transaction, and for others it does not exist', async () => {
  const { result: _result, ...created } = (await buyProfile(app, market, 0.8)).body;
  const read = (id: string, { token }: { readonly token: string }) =>
    app.request('GET', `/marketplace/transactions/${id}`, { token });
  expect((await read(created.id, market.org)).body).toEqual(created);
  expect((await read(created.id, market.member)).body).toEqual({
    ...created,
    member_id: market.member.member_id,
  });
  for (const stranger of [await app.registerOrgAdmin(), await app.registerMember()])
    expect((await read(created.id, stranger)).body.code).toBe('transaction_not_found');
  expect((await read(unknownId, market.org)).status).toBe(404);
});

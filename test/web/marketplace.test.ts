import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '../harness.ts';
import { createMarket, proposeProfile } from '../modules/marketplace.ts';
import { password } from '../users.ts';
import { createVisitor, readText } from './visitor.ts';

const logIn = async (app: Awaited<ReturnType<typeof startApp>>, { email }: { readonly email: string }) => {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
};

test('a member offers a read from a match, takes it back, and offers it again; the organisation declines or pays it', async () => {
  const app = await startApp();
  const { member, org } = await createMarket(app);
  const { match_id } = await app.sql.one(
    sql<{ match_id: string }>`select match_id from member_matches where member_id = ${member.member_id}`,
  );
  const [seller, buyer] = [await logIn(app, member), await logIn(app, org)];
  const page = `/app/matches/${match_id}/transaction`;
  expect((await seller.open(`/app/matches/${match_id}`)).html).toContain(page);
  const offer = async (price_aud: string, data_type = 'archetype') =>
    seller.send(await seller.open(page), 'send', { data_type, price_aud });
  expect(readText(await offer('much'))).toContain('Must be an amount such as 0.40');
  const recorded = await offer('0,40');
  expect(recorded.address).toContain('/app/income/transactions');
  expect(readText(recorded)).toMatch(/for A\$0\.40 pending/);
  expect(readText(await seller.send(recorded, 'withdraw'))).toMatch(/for A\$0\.40 taken back/);

  await offer('0.50');
  expect(readText(await buyer.open('/app'))).toContain('1 transaction waits to be paid or declined');
  const declined = await buyer.send(await buyer.open('/app/reads/transactions'), 'decline');
  expect(readText(declined)).toContain('No transaction waits for an answer.');

  await offer('0.60', 'trait_profile');
  const waiting = await buyer.open('/app/reads/transactions');
  expect(readText(waiting)).toContain('Traits for A$0.60');
  const paid = await buyer.send(waiting, 'pay');
  expect(readText(paid)).toContain('What you have read');
  // The form that is sent again buys nothing, and shows the same.
  expect(readText(await buyer.send(waiting, 'pay'))).toBe(readText(paid));
  expect(readText(await buyer.open('/app/reads'))).toContain('A$0.60 (US$0.40)');
  const { body } = await app.request('GET', '/marketplace/my-purchases', { token: org.token });
  expect(body).toMatchObject({ transaction_count: 1, total_spend_aud: 0.6 });
});

test('where a payment must be signed, the page says how to pay, and takes nothing', async () => {
  const app = await startApp({ TESSERA_PAYMENT_RAIL: 'none' });
  const market = await createMarket(app);
  const { id } = (await proposeProfile(app, market, 0.6)).body;
  const buyer = await logIn(app, market.org);
  const page = readText(await buyer.send(await buyer.open('/app/reads/transactions'), 'pay'));
  expect(page).toContain('POST /marketplace/transactions');
  expect(page).toContain(market.alias);
  const { body } = await app.request('GET', `/marketplace/transactions/${id}`, { token: market.org.token });
  expect(body.status).toBe('pending');
});

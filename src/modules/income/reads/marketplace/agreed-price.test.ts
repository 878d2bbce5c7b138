import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findOrganisationRead, findRead } from '#modules/income/books';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { buyProfile, createMarket } from '#test/modules/marketplace.ts';
import { password } from '#test/users.ts';
import { createVisitor, readText } from '#test/web/visitor.ts';
import { buildMemberReceipt, buildOrganisationReceipt } from '../receipts/build-receipt.ts';

// 0.4 AUD are 0.266666 USD at this rate, and those are 0.399999 AUD.
const app = await startApp({ TESSERA_AUD_PER_USD: '1.5' });
const market = await createMarket(app);
const { member, org } = market;
await app.sql.run(sql`update organisations set tier = 'partner' where id = ${org.org_id}`);
const readAs = async (path: string, { token }: { readonly token: string }) =>
  (await app.request('GET', path, { token })).body;

test('every amount with up to six decimals comes back as it was sent, to both parties', async () => {
  const amounts = fc
    .tuple(fc.integer({ min: 10_000, max: 5_000_000 }), fc.constantFrom(1, 10, 1_000, 10_000))
    .map(([micros, step]) => (micros - (micros % step)) / 1_000_000)
    .filter((price_aud) => price_aud >= 0.01);
  await fc.assert(
    fc.asyncProperty(amounts, async (price_aud) => {
      const { status, body } = await buyProfile(app, market, price_aud);
      expect([status, body.price_aud]).toEqual([201, price_aud]);
      for (const side of [member, org])
        expect((await readAs(`/marketplace/transactions/${body.id}`, side)).price_aud).toBe(price_aud);
    }),
    { numRuns: 40, examples: [[0.4], [0.01], [0.1], [0.333333], [4.999999]] },
  );
});

describe('what was agreed', async () => {
  const buyer = await app.registerOrgAdmin();
  const own = await createMarket(app, { org: buyer });
  const { body: bought } = await buyProfile(app, own, 0.4);
  const logIn = async ({ email }: { readonly email: string }) => {
    const visitor = createVisitor(app);
    await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
    return visitor;
  };

  test('is in every list of both sides, beside what was paid', async () => {
    const prices = { price_aud: 0.4, price_usd: 0.266666 };
    const purchases = await readAs('/marketplace/my-purchases', buyer);
    expect(purchases).toMatchObject({ total_spend_aud: 0.4, data: [prices] });
    const sales = await readAs('/marketplace/my-earnings', own.member);
    expect(sales).toMatchObject({ total_price_aud: 0.4, data: [prices] });
    const reads = await readAs('/orgs/queries/reads', buyer);
    expect(reads.data).toMatchObject([{ price: 0.266666, price_aud: 0.4 }]);
    const history = await readAs('/orgs/queries/earnings/history', own.member);
    expect(history.data).toMatchObject([{ price: 0.266666, price_aud: 0.4 }]);
  });

  test('is on the receipts of both sides', async () => {
    const mine = await findRead(app.sql, own.member.member_id, bought.id);
    const theirs = await findOrganisationRead(app.sql, buyer.org_id, bought.id);
    const receipts = [
      buildMemberReceipt(mine!, app.clock.now()),
      buildOrganisationReceipt({ read: theirs!, settlement: undefined, organisation: 'A', pseudonym: 'b' }),
    ];
    for (const { parts } of receipts)
      expect(parts.flatMap(({ rows }) => rows)).toContainEqual({ label: 'Agreed price', value: 'A$0.40' });
  });

  test('is on the pages of both sides', async () => {
    const income = readText(await (await logIn(own.member)).open('/app/income'));
    expect(income).toContain('paid A$0.40 (US$0.266666), of which');
    expect(readText(await (await logIn(buyer)).open('/app/reads'))).toContain('A$0.40 (US$0.266666)');
  });

  test('is in the export of the member’s data', async () => {
    const path = `/exports/member/${own.member.member_id}/gdpr-data`;
    const { body } = await app.request('GET', path, { token: own.member.token });
    expect(body).toContain('400000');
  });
});

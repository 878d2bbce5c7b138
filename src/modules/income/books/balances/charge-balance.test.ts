import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { chargeBalance, checkBooks, reverseJournal } from '#modules/income/books';
import { readPaymentProof, takePayment } from '#modules/income/payments';
import { finishReads } from '#modules/income/reads';
import { findBrokenConstraint, sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { buyRead, encodeBalancePayment, fillBalance, readLeft } from '#test/modules/balances.ts';
import { listAccounts } from '#test/modules/books.ts';
import { runTask } from '#test/modules/matching.ts';
import {
  approveCategory,
  decideConsent,
  findAliases,
  registerReadable,
  sendRead,
} from '#test/modules/reads.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';

const app = await startApp();
let member: TestMember;
let buyers: readonly TestOrgUser[];
let aliases: readonly string[];

beforeAll(async () => {
  member = await registerReadable(app, ['archetype', 'trait_profile', 'values_profile']);
  buyers = [await app.registerOrgAdmin({ name: 'Buyer' }), await app.registerOrgAdmin({ name: 'Other' })];
  aliases = [];
  for (const org of buyers) aliases = [...aliases, ...(await findAliases(app, org, [member]))];
});

const findFaults = async () => (await checkBooks(app.platform)).faults;

/** A buyer with an empty balance who has a match with the member. */
async function createBuyer(): Promise<{ readonly org: TestOrgUser; readonly alias: string }> {
  const org = await app.registerOrgAdmin();
  const [alias] = await findAliases(app, org, [member]);
  return { org, alias: alias! };
}

/** The price of a trait profile, as a reply with status 402 says it. */
async function readPricing(org: TestOrgUser, alias: string) {
  const headers = encodeBalancePayment(randomUUID());
  const body = { member_id: alias, data_type: 'trait_profile' };
  return (await app.request('POST', '/orgs/queries/credential', { token: org.token, body, headers })).body;
}

describe('a read that a balance pays', () => {
  test('takes its price, gives three quarters to the member, and says how it was paid', async () => {
    const { org, alias } = await createBuyer();
    await fillBalance(app, org, 10);
    const before = await listAccounts(app, member.member_id);
    const { status, body, headers } = await buyRead(app, org, alias);
    expect([status, body.query_metadata.payment_type]).toEqual([200, 'balance']);
    const receipt = JSON.parse(Buffer.from(String(headers['payment-response']), 'base64').toString('utf8'));
    expect(receipt).toMatchObject({ success: true, network: 'tessera:balance' });
    const [price, shown] = await app.sql
      .one(
        sql<{ gross_micros: number; member_micros: number }>`
          select gross_micros, member_micros from reads where org_id = ${org.org_id}`,
      )
      .then((read) => [read.gross_micros, read.member_micros] as const);
    expect(shown).toBe(Math.floor(price * 0.75));
    expect(await readLeft(app, org)).toBe((10_000_000 - price) / 1_000_000);
    expect(await listAccounts(app, org.org_id)).toEqual({
      cash_bank: 10_000_000,
      prepaid_balance: price - 10_000_000,
      balance_in_use: -price,
    });
    const after = await listAccounts(app, member.member_id);
    expect(after['balance_in_use']! - (before['balance_in_use'] ?? 0)).toBe(price);
    expect((before['member_income'] ?? 0) - after['member_income']!).toBe(shown);
    const { data } = (await app.request('GET', '/orgs/queries/reads', { token: org.token })).body;
    expect(data).toMatchObject([{ payment_type: 'balance', price: price / 1_000_000 }]);
    expect(await findFaults()).toEqual([]);
  });

  test('is paid once by its key, for one read, and each organisation has its own keys', async () => {
    const [{ org, alias }, other] = [await createBuyer(), await createBuyer()];
    for (const each of [org, other.org]) await fillBalance(app, each, 5);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => buyRead(app, org, alias, { key: 'k' })),
    );
    for (const { status, body } of replies) expect([status, body]).toEqual([200, replies[0]!.body]);
    const left = await readLeft(app, org);
    expect(left).toBeGreaterThan(4);
    await decideConsent(app, member, 'identity_queries', false);
    expect((await buyRead(app, org, alias, { key: 'k' })).body).toEqual(replies[0]!.body);
    await decideConsent(app, member, 'identity_queries', true);
    for (const type of ['archetype', 'trait_profile', 'values_profile'] as const)
      await approveCategory(app, member, type);
    const misused = await buyRead(app, org, alias, { key: 'k', data_type: 'archetype' });
    expect([misused.status, misused.body.code]).toEqual([409, 'payment_already_used']);
    expect((await buyRead(app, other.org, other.alias, { key: 'k' })).status).toBe(200);
    expect(await readLeft(app, org)).toBe(left);
  });

  test('is refused with 402 when it is empty, and takes nothing; the terms show the balance to its organisation alone', async () => {
    const { org, alias } = await createBuyer();
    const empty = await readPricing(org, alias);
    expect([empty.code, empty.pricing.balance, empty.pricing.rails]).toEqual([
      'payment_balance_too_low',
      null,
      ['mock'],
    ]);
    await fillBalance(app, org, 0.02);
    const low = await readPricing(org, alias);
    expect([low.code, low.pricing.balance, low.pricing.rails]).toEqual([
      'payment_balance_too_low',
      0.02,
      ['mock', 'balance'],
    ]);
    expect(await readLeft(app, org)).toBe(0.02);
    const other = await createBuyer();
    expect((await readPricing(other.org, other.alias)).pricing.balance).toBeNull();
    const { claims } = await app.sql.one(
      sql<{ claims: number }>`select count(*) as claims from payments where org_id = ${org.org_id}`,
    );
    expect(claims).toBe(0);
  });

  test('is refused above the price that the client is willing to pay, and takes nothing', async () => {
    const { org, alias } = await createBuyer();
    await fillBalance(app, org, 1);
    const body = { member_id: alias, data_type: 'trait_profile' };
    const { price } = (
      await app.request('POST', '/orgs/queries/credential', {
        token: org.token,
        body,
        headers: encodeBalancePayment('low', 0.01),
      })
    ).body.pricing;
    expect(await readLeft(app, org)).toBe(1);
    const headers = encodeBalancePayment('right', price);
    const paid = await app.request('POST', '/orgs/queries/credential', { token: org.token, body, headers });
    expect([paid.status, await readLeft(app, org)]).toEqual([200, 1 - price]);
  });

  test.each([
    [{ balance_key: '' }],
    [{ balance_key: 'a b' }],
    [{ balance_key: 7 }],
    [{ balance_key: 'a', timestamp: 1 }],
    [{ balance_key: 'x'.repeat(129) }],
    [{ balance_key: 'a', max_price: 0 }],
    [{ balance_key: 'a', max_price: '1' }],
  ])('refuses the key %j', async (proof) => {
    const headers = { 'payment-signature': Buffer.from(JSON.stringify(proof)).toString('base64') };
    const body = { member_id: aliases[0], data_type: 'trait_profile' };
    const reply = await app.request('POST', '/orgs/queries/credential', {
      token: buyers[0]!.token,
      body,
      headers,
    });
    expect([reply.status, reply.body.code]).toEqual([400, 'malformed_payment']);
  });
});

describe('at the same time', () => {
  test('reads never take more than there is', async () => {
    const { org, alias } = await createBuyer();
    await fillBalance(app, org, 1);
    const replies = await Promise.all(Array.from({ length: 12 }, () => buyRead(app, org, alias)));
    const bought = replies.filter(({ status }) => status === 200).length;
    const refused = replies.filter(({ body }) => body.code === 'payment_balance_too_low').length;
    expect(bought + refused).toBe(12);
    expect(bought).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    const { spent } = await app.sql.one(
      sql<{
        spent: number;
      }>`select sum(gross_micros)::bigint as spent from reads where org_id = ${org.org_id}`,
    );
    expect(await readLeft(app, org)).toBe((1_000_000 - spent) / 1_000_000);
    expect(await findFaults()).toEqual([]);
  });

  test('top-ups and reads keep the statement without gaps', async () => {
    const { org, alias } = await createBuyer();
    await Promise.all([
      ...Array.from({ length: 4 }, () => fillBalance(app, org, 2)),
      ...Array.from({ length: 8 }, () => buyRead(app, org, alias)),
    ]);
    const entries = await app.sql.list(sql<{ number: number; amount_micros: number; balance_micros: number }>`
      select number, amount_micros, balance_micros from balance_entries where org_id = ${org.org_id} order by number`);
    let sum = 0;
    for (const [index, entry] of entries.entries()) {
      sum += entry.amount_micros;
      expect([entry.number, entry.balance_micros]).toEqual([index + 1, sum]);
    }
    expect(entries.length).toBeGreaterThan(3);
    expect(await findFaults()).toEqual([]);
  });

  test('the database refuses what the code would let through', async () => {
    const { org } = await createBuyer();
    await fillBalance(app, org, 1);
    const { org_id } = org;
    const takeAround = () =>
      app.sql.transaction(async (tx) => {
        await tx.run(sql`
          insert into ledger_journals (holder_id, id, kind, idempotency_key, body_hash, org_id, payment_id, rail, reason, posted_at)
          values (${org_id}, ${randomUUID()}, 'charge', ${randomUUID()}, ${Buffer.alloc(32)}, ${org_id}, ${randomUUID()}, 'balance', 'x', ${app.clock.now()})`);
        await tx.run(sql`
          insert into ledger_postings (holder_id, journal_id, account, amount)
          select holder_id, id, 'prepaid_balance', 1000001 from ledger_journals where holder_id = ${org_id} and kind = 'charge'`);
      });
    await expect(takeAround().catch(findBrokenConstraint)).resolves.toBe(
      'prepaid_balances_balance_micros_check',
    );
    for (const statement of [
      sql`update balance_entries set amount_micros = 1 where org_id = ${org_id}`,
      sql`delete from balance_entries where org_id = ${org_id}`,
      sql`update top_ups set recorded_micros = 1 where org_id = ${org_id}`,
      sql`delete from top_ups where org_id = ${org_id}`,
    ])
      await expect(app.sql.run(statement)).rejects.toThrow('append-only');
    expect(await readLeft(app, org)).toBe(1);
  });
});

describe('what was paid for nothing', () => {
  async function loseProcess(org: TestOrgUser, key: string): Promise<void> {
    const proof = readPaymentProof(encodeBalancePayment(key))!;
    await takePayment(app.platform, proof, {
      org_id: org.org_id,
      user_id: org.user_id,
      member_id: member.member_id,
      data_type: 'trait_profile',
      price: 300_000n,
      charge: (tx, { id, org_id, data_type, amount_micros, created_at: at }) =>
        chargeBalance(app.platform, tx, {
          payment_id: id,
          org_id,
          data_type,
          amount: BigInt(amount_micros),
          at,
        }),
    });
  }

  test('is back in the balance at once, and no payout is made of it', async () => {
    const { org } = await createBuyer();
    await fillBalance(app, org, 1);
    await loseProcess(org, 'lost');
    expect(await readLeft(app, org)).toBe(0.7);
    expect(await findFaults()).toEqual([]);
    await approveCategory(app, member, 'trait_profile', false);
    app.clock.advance(130_000);
    await runTask(app, finishReads, {});
    await approveCategory(app, member, 'trait_profile');
    expect(await readLeft(app, org)).toBe(1);
    const { payouts } = await app.sql.one(
      sql<{ payouts: number }>`select count(*) as payouts from payouts where holder_id = ${org.org_id}`,
    );
    expect(payouts).toBe(0);
    expect(await listAccounts(app, org.org_id)).toEqual({
      cash_bank: 1_000_000,
      prepaid_balance: -1_000_000,
      balance_in_use: 0,
    });
    expect(await findFaults()).toEqual([]);
  });

  test('of a lost process is finished with its read when the member still allows it', async () => {
    const { org, alias } = await createBuyer();
    await fillBalance(app, org, 1);
    await loseProcess(org, 'lost');
    app.clock.advance(130_000);
    await runTask(app, finishReads, {});
    const { status } = await buyRead(app, org, alias, { key: 'lost' });
    expect(status).toBe(200);
    expect(await readLeft(app, org)).toBe(0.7);
    expect(await findFaults()).toEqual([]);
  });

  test('is back when the operator takes the read back', async () => {
    const { org, alias } = await createBuyer();
    await fillBalance(app, org, 1);
    await buyRead(app, org, alias);
    const { journal_id } = await app.sql.one(
      sql<{ journal_id: string }>`select journal_id from reads where org_id = ${org.org_id}`,
    );
    await reverseJournal(app.platform, { journal: journal_id, reason: 'the read was wrong' });
    expect(await readLeft(app, org)).toBe(1);
    const { id: refund } = await app.sql.one(
      sql<{ id: string }>`select id from ledger_journals where holder_id = ${org.org_id} and kind = 'refund'`,
    );
    await expect(reverseJournal(app.platform, { journal: refund, reason: 'twice' })).rejects.toThrow(
      'cannot be taken back',
    );
    expect(await findFaults()).toEqual([]);
  });
});

test('a read that crosses the amount of the warning emails the administrators once', async () => {
  const { org, alias } = await createBuyer();
  await app.request('PATCH', '/orgs/me/balance', { token: org.token, body: { warn_below: 1.5 } });
  await fillBalance(app, org, 2);
  const countMails = async () => {
    await app.drainQueue();
    return (await app.readMails()).filter(
      ({ subject, to }) => subject === 'Your prepaid balance is low' && to.includes(org.email),
    ).length;
  };
  const counts = [];
  for (let bought = 0; bought < 3; bought++) {
    await buyRead(app, org, alias);
    counts.push(await countMails());
  }
  expect(counts.at(-1)).toBe(1);
  await fillBalance(app, org, 2);
  for (let bought = 0; bought < 4; bought++) await buyRead(app, org, alias);
  expect(await countMails()).toBe(2);
});

test('another payment takes nothing from the balance', async () => {
  const { org, alias } = await createBuyer();
  await fillBalance(app, org, 1);
  const paid = await sendRead(app, org, alias, { payment: `tx-${randomUUID()}` });
  expect([paid.status, paid.body.query_metadata.payment_type]).toEqual([200, 'x402']);
  expect(await readLeft(app, org)).toBe(1);
});

describe('the check of the books', () => {
  test('finds a balance, a charge and money in use that are not right', async () => {
    const own = await startApp();
    const org = await own.registerOrgAdmin();
    await fillBalance(own, org, 3);
    await own.sql.transaction((tx) => tx.client.query('drop trigger payments_guarded on payments'));
    await own.sql.run(sql`update prepaid_balances set balance_micros = 4000000`);
    await own.sql.run(sql`
      insert into payments (id, state, rail, protocol_version, org_id, user_id, member_id, data_type, price_micros, amount_micros, created_at, attempted_at, settled_at)
      values (${randomUUID()}, 'settled', 'balance', 'balance', ${org.org_id}, ${org.user_id}, ${randomUUID()}, 'archetype', 50000, 50000,
        ${own.clock.now()}, ${own.clock.now()}, ${own.clock.now()})`);
    const { faults } = await checkBooks(own.platform);
    expect(faults.map(({ code }) => code).toSorted()).toEqual([
      'balance_in_use_wrong',
      'balance_wrong',
      'charge_wrong',
    ]);
    expect(faults.find(({ code }) => code === 'balance_wrong')).toMatchObject({
      id: org.org_id,
      detail: 'the balance is 4000000, its postings have 3000000, its 1 lines have 3000000',
    });
  });
});

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { listAccounts, postSold, createSold } from '#test/modules/books.ts';
import { proves } from '#test/requirements.ts';
import { JournalConflict } from '../journals/post-journal.ts';
import { postReadJournal, postRefundJournal } from './record-read.ts';
import { readBalances } from '../journals/store.ts';

const app = await startApp();

const hour_ms = 3_600_000;

describe('a paid read', () => {
  test('gives the member 75 %, rounded down, and the platform the remainder', async () => {
    proves(
      'ledger-share-75-percent-of-payment',
      'ledger-share-indicative-server-authoritative',
      'ledger-earnings-accrue-to-data-subject',
    );
    const sold = createSold(app, { gross: 33_333n });
    const { member_share, platform_share } = await postSold(app, sold);
    expect([member_share, platform_share]).toEqual([24_999n, 8_334n]);
    expect(await listAccounts(app, sold.member_id)).toEqual({
      cash_mock: 33_333,
      member_income: -24_999,
      platform_income: -8_334,
    });
    const { share_bps } = await app.sql.one(
      sql<{ share_bps: number }>`select share_bps from ledger_journals where holder_id = ${sold.member_id}`,
    );
    expect(share_bps).toBe(7_500);
  });

  test('is pending until the payout hold has passed, and available from then on', async () => {
    const sold = createSold(app, { gross: 1_000_000n, hold_seconds: 3_600 });
    await postSold(app, sold);
    const readAfter = (ms: number) => readBalances(app.sql, sold.member_id, new Date(sold.at.getTime() + ms));
    const parts = { in_payout: 0n, paid_out: 0n, total: 750_000n };
    expect(await readAfter(hour_ms - 1)).toEqual({ ...parts, pending: 750_000n, available: 0n });
    expect(await readAfter(hour_ms)).toEqual({ ...parts, pending: 0n, available: 750_000n });
  });

  test('for any price and share balances, and nothing is lost', async () => {
    const prices = fc.bigInt({ min: 1n, max: 1_000_000_000_000n });
    await fc.assert(
      fc.asyncProperty(prices, fc.integer({ min: 0, max: 10_000 }), async (gross, share_bps) => {
        const sold = createSold(app, { gross, share_bps });
        const { member_share, platform_share } = await postSold(app, sold);
        expect(member_share + platform_share).toBe(gross);
        const { total } = await readBalances(app.sql, sold.member_id, sold.at);
        expect(total).toBe(member_share);
      }),
      { numRuns: 40 },
    );
  });

  test('of a price of nothing is refused', async () => {
    await expect(postSold(app, createSold(app, { gross: 0n }))).rejects.toThrow(RangeError);
  });
});

describe('the same claim', () => {
  test('is posted once by 20 concurrent transactions', async () => {
    const sold = createSold(app);
    const posted = await Promise.all(Array.from({ length: 20 }, () => postSold(app, sold)));
    expect(new Set(posted.map(({ journal_id }) => journal_id)).size).toBe(1);
    expect((await listAccounts(app, sold.member_id))['cash_mock']).toBe(Number(sold.gross));
  });

  test('with another price, share, organisation, rail or read is a conflict, even for 20 concurrent transactions', async () => {
    const sold = createSold(app);
    await postSold(app, sold);
    const others = [
      { gross: sold.gross + 1n },
      { share_bps: 7_400 },
      { org_id: randomUUID() },
      { rail: 'x402' as const },
      { read_id: randomUUID() },
    ];
    for (const other of others)
      await expect(postSold(app, { ...sold, ...other })).rejects.toThrow(JournalConflict);
    const raced = createSold(app);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => postSold(app, { ...raced, gross: 1_000n + BigInt(index) })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(reasons.every((reason) => reason instanceof JournalConflict)).toBe(true);
  });

  test('may be posted again later, which adds nothing', async () => {
    const sold = createSold(app);
    const first = await postSold(app, sold);
    const again = await postSold(app, { ...sold, at: new Date(sold.at.getTime() + hour_ms) });
    expect(again).toEqual(first);
    const { pending } = await readBalances(app.sql, sold.member_id, sold.at);
    expect(pending).toBe(first.member_share);
  });

  test('is not posted if its transaction fails', async () => {
    const sold = createSold(app);
    const failing = app.sql.transaction(async (tx) => {
      await postReadJournal(tx, sold);
      throw new Error('the read was not recorded');
    });
    await expect(failing).rejects.toThrow('the read was not recorded');
    expect(await listAccounts(app, sold.member_id)).toEqual({});
  });
});

describe('a payment for which nothing may be sold', () => {
  const createRefund = () => ({
    payment_id: randomUUID(),
    org_id: randomUUID(),
    payer: null,
    rail: 'x402' as const,
    gross: 250_000n,
    at: app.clock.now(),
    reason: 'consent_withdrawn',
  });

  test('is owed back, and is no income', async () => {
    const refund = createRefund();
    await app.sql.transaction((tx) => postRefundJournal(tx, refund));
    expect(await listAccounts(app, refund.org_id)).toEqual({ cash_chain: 250_000, owed_to_payers: -250_000 });
  });

  test('is on its way back if its payer is known, once', async () => {
    const refund = { ...createRefund(), payer: '0x00000000000000000000000000000000000000a1' };
    for (let time = 0; time < 2; time++) await app.sql.transaction((tx) => postRefundJournal(tx, refund));
    expect(await listAccounts(app, refund.org_id)).toEqual({
      cash_chain: 250_000,
      owed_to_payers: 0,
      payouts_in_progress: -250_000,
    });
  });
});

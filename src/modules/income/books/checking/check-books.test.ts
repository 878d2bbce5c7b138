import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { requestAndSendPayout } from '#test/modules/books.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createSold, postSold, recordSoldRead } from '#test/modules/books.ts';
import { createStub } from '#test/modules/stubs.ts';
import { createPayment, readBooks, sendRead, settleWithoutRead } from '#test/modules/reads.ts';
import { createEmail, password } from '#test/users.ts';
import { finishReads } from '#modules/income/reads';
import { runTask } from '#test/modules/matching.ts';
import { checkBooksNightly } from './check-books-nightly.ts';
import { checkBooks } from './check-books.ts';
import { describeFaults, formatReport, toReportFields } from './describe-report.ts';

const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });
beforeAll(async () => {
  const member = await app.registerMember();
  await recordSoldRead(app, member.member_id, { gross: 4_000_000n, hold_seconds: 0 });
  await recordSoldRead(app, member.member_id);
  await requestAndSendPayout(app, member.token, 1);
});

/** Removes the guards of the database in a service of its own, so that the books can be made wrong. */
async function startWithoutGuards(): Promise<TestApp> {
  const own = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });
  for (const [trigger, table] of [
    ['ledger_postings_balanced', 'ledger_postings'],
    ['ledger_postings_append_only', 'ledger_postings'],
    ['ledger_postings_moved_only', 'ledger_postings'],
    ['ledger_journals_filled', 'ledger_journals'],
  ])
    await own.sql.transaction((tx) => tx.client.query(`drop trigger ${trigger} on ${table}`));
  return own;
}

const listFaults = async (on: TestApp) => (await checkBooks(on.platform)).faults;

describe('the check', () => {
  test('of right books finds nothing, and shows the trial balance', async () => {
    const { faults, balances, cash } = await checkBooks(app.platform);
    expect(faults).toEqual([]);
    expect(cash).toBeNull();
    expect(balances).toEqual({
      cash_mock: 3_000_000n,
      cash_chain: 0n,
      cash_bank: 0n,
      platform_income: -1_000_000n,
      member_income: -2_000_000n,
      payouts_in_progress: 0n,
      owed_to_payers: 0n,
      prepaid_balance: 0n,
      balance_in_use: 0n,
    });
  });

  test('finds an unbalanced journal, a wrong share and a journal without postings', async () => {
    const own = await startWithoutGuards();
    const { member_id } = await own.registerMember();
    await recordSoldRead(own, member_id, { gross: 250_000n });
    await own.sql.run(sql`update ledger_postings set amount = amount - 1 where account = 'member_income'`);
    const faults = await listFaults(own);
    expect(faults.map(({ code }) => code)).toEqual([
      'trial_balance',
      'journal_unbalanced',
      'share_wrong',
      'read_amount_wrong',
    ]);
    expect(faults[2]!.detail).toBe('the member has 187501 of 250000 at 7500 basis points');
    await own.sql.run(sql`delete from ledger_postings`);
    expect((await listFaults(own)).map(({ code }) => code)).toContain('journal_empty');
  });

  test('finds a share that balances but is wrong', async () => {
    const own = await startWithoutGuards();
    const { member_id } = await own.registerMember();
    await recordSoldRead(own, member_id, { gross: 250_000n });
    await own.sql.run(sql`update ledger_postings set amount = amount + 1 where account = 'member_income'`);
    await own.sql.run(sql`update ledger_postings set amount = amount - 1 where account = 'platform_income'`);
    expect((await listFaults(own)).map(({ code }) => code)).toEqual(['share_wrong', 'read_amount_wrong']);
  });

  test('finds a payout whose row and journals differ', async () => {
    const own = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });
    const { member_id, token } = await own.registerMember();
    await recordSoldRead(own, member_id, { gross: 4_000_000n, hold_seconds: 0 });
    await requestAndSendPayout(own, token, 1);
    await own.sql.run(sql`drop trigger payouts_guarded on payouts`);
    await own.sql.run(sql`update payouts set status = 'sending', ended_at = null`);
    expect(await listFaults(own)).toMatchObject([{ code: 'payout_wrong' }]);
    await own.sql.run(sql`update payouts set status = 'returned', ended_at = now()`);
    expect(await listFaults(own)).toMatchObject([
      { code: 'payout_wrong', detail: expect.stringContaining('settlements: 1') },
    ]);
  });

  test('finds a payout that has been in progress for more than a day', async () => {
    const own = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });
    const { member_id, token } = await own.registerMember();
    await recordSoldRead(own, member_id, { gross: 4_000_000n, hold_seconds: 0 });
    const body = { destination: '0x00000000000000000000000000000000000000a1' };
    await own.request('POST', '/members/me/payouts', { token, body });
    own.clock.advance(86_400_000);
    expect(await listFaults(own)).toEqual([]);
    own.clock.advance(1);
    expect(await listFaults(own)).toMatchObject([{ code: 'payout_stuck' }]);
  });

  test('finds a paid read without its journal, and a journal without its read', async () => {
    const own = await startApp();
    const sold = createSold(own);
    await postSold(own, sold);
    expect(await listFaults(own)).toMatchObject([{ code: 'journal_without_read' }]);
    const read_id = await recordSoldRead(own, randomUUID(), { gross: 50_000n });
    await own.sql.run(sql`update reads set journal_id = ${randomUUID()} where id = ${read_id}`);
    expect(await listFaults(own)).toMatchObject([
      { code: 'read_without_journal', id: read_id },
      { code: 'journal_without_read' },
    ]);
  });
});

describe('the check, after somebody with all rights has changed the books so that they still balance,', () => {
  /** A service with a paid read and a refund, and without the guards of the database. */
  const startWithSales = async () => {
    const own = await startWithoutGuards();
    for (const [trigger, table] of [
      ['ledger_journals_append_only', 'ledger_journals'],
      ['ledger_journals_moved_only', 'ledger_journals'],
      ['payouts_guarded', 'payouts'],
    ])
      await own.sql.transaction((tx) => tx.client.query(`drop trigger ${trigger} on ${table}`));
    const stub = await createStub(own);
    const org = await own.registerOrgAdmin();
    const bought = await sendRead(own, org, stub.body.member_id, { payment: createPayment() });
    expect(bought.status).toBe(200);
    // As if the process had been killed between payment and read, and the claim had ended the consent meanwhile.
    const { member_id } = stub.body;
    await settleWithoutRead(own, {
      org,
      member_id,
      known_as: member_id,
      payment: createPayment(),
      price: 500_000n,
    });
    const claimed = await own.request('POST', '/identity/claim', {
      body: { claim_code: stub.body.claim_code, email: createEmail(), password, tos_accepted: true },
    });
    expect(claimed.status).toBe(201);
    own.clock.advance(121_000);
    await own.platform.database.transaction((tx) => own.platform.queue.send(tx, finishReads, {}));
    await own.drainQueue();
    expect((await readBooks(own)).refunds).toBe(1);
    expect(await listFaults(own)).toEqual([]);
    return own;
  };

  test('finds amounts that were multiplied', async () => {
    const own = await startWithSales();
    await own.sql.run(sql`
      update ledger_postings set amount = amount * 4
      where journal_id in (select id from ledger_journals where kind = 'read')`);
    expect((await listFaults(own)).map(({ code }) => code)).toEqual(['read_amount_wrong']);
  });

  test('finds a read that was removed with its journal', async () => {
    const own = await startWithSales();
    await own.sql.run(sql`delete from reads`);
    await own.sql.run(
      sql`delete from ledger_postings where journal_id in (select id from ledger_journals where kind = 'read')`,
    );
    await own.sql.run(sql`delete from ledger_journals where kind = 'read'`);
    expect((await listFaults(own)).map(({ code }) => code)).toEqual(['payment_without_read']);
  });

  test('finds a refund that was removed', async () => {
    const own = await startWithSales();
    await own.sql.run(sql`delete from payouts where kind = 'refund'`);
    await own.sql.run(
      sql`delete from ledger_postings where holder_id in (select holder_id from ledger_journals where kind = 'refund')`,
    );
    await own.sql.run(
      sql`delete from ledger_journals where holder_id in (select holder_id from ledger_journals where kind = 'refund')`,
    );
    expect((await listFaults(own)).map(({ code }) => code)).toEqual(['payment_without_refund']);
  });
});

describe('the report', () => {
  test('of the command has amounts as text, and a failure if anything is wrong', async () => {
    const fields = toReportFields(await checkBooks(app.platform));
    expect(JSON.parse(JSON.stringify(fields))).toMatchObject({
      balanced: true,
      balances_micros: { cash_mock: '3000000', member_income: '-2000000' },
      cash_micros: null,
      faults: [],
    });
    expect(describeFaults(fields)).toBeUndefined();
    expect(formatReport(fields)).toMatchObject({
      cash_mock: '3.000000 USD',
      platform_income: '-1.000000 USD',
      chain: 'not compared',
    });
    const fault = { code: 'payout_stuck' as const, id: 'a', detail: 'sending' };
    const wrong = { ...fields, faults: [fault] };
    expect(describeFaults(wrong)).toMatch(/1 faults?/);
    expect(formatReport(wrong)).toMatchObject({ 'fault 1': 'payout_stuck a sending' });
  });

  test('of the night is a metric, and lines of the log', async () => {
    const own = await startApp();
    await runTask(own, checkBooksNightly, {});
    expect(await own.platform.metrics.formatText()).toContain('tessera_ledger_faults 0');
    await postSold(own, createSold(own));
    const lines: unknown[] = [];
    const log = Object.assign(Object.create(own.platform.log), {
      error: (...line: unknown[]) => void lines.push(line),
    });
    await runTask(own, checkBooksNightly, {}, { log });
    expect(await own.platform.metrics.formatText()).toContain('tessera_ledger_faults 1');
    expect(lines).toMatchObject([[{ code: 'journal_without_read' }, 'the books are wrong']]);
  });
});

import { expect, test } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { listAccounts, recordSoldRead, requestAndSendPayout } from '#test/modules/books.ts';
import { reverseJournal } from './reverse-journal.ts';

const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '60' });

async function findJournalId(member_id: string, kind: string): Promise<string> {
  const { id } = await app.sql.one(
    sql<{ id: string }>`select id from ledger_journals where holder_id = ${member_id} and kind = ${kind}`,
  );
  return id;
}

const reverse = (journal: string) =>
  reverseJournal(app.platform, { journal, reason: 'the block was dropped' });

test('takes back a pending income, which then is in no figure of the member', async () => {
  const { member_id, token } = await app.registerMember();
  await recordSoldRead(app, member_id, { gross: 1_000_000n, hold_seconds: 60 });
  await recordSoldRead(app, member_id, { gross: 250_000n, hold_seconds: 60 });
  const { id } = await app.sql.one(sql<{ id: string }>`
    select journal_id as id from ledger_postings where holder_id = ${member_id} and amount = 1000000`);
  await reverse(id);
  expect((await app.request('GET', '/members/me/earnings', { token })).body).toMatchObject({
    pending_amount: 0.1875,
    available_amount: 0,
    total_earned: 0.1875,
  });
  expect(await listAccounts(app, member_id)).toEqual({
    cash_mock: 250_000,
    member_income: -187_500,
    platform_income: -62_500,
  });
  const { body } = await app.request('GET', '/orgs/queries/earnings/history', { token });
  expect(body.data.map(({ status }: { status: string }) => status).toSorted()).toEqual([
    'pending',
    'reversed',
  ]);
  const summary = (await app.request('GET', '/orgs/queries/earnings/summary', { token })).body;
  expect(summary.monthly).toMatchObject([{ earned: 0.1875, transaction_count: 2 }]);
});

test('of an income that was paid out leaves a debt, which later income pays', async () => {
  const { member_id, token } = await app.registerMember();
  const addIncome = (gross: bigint) => recordSoldRead(app, member_id, { gross, hold_seconds: 0 });
  await addIncome(4_000_000n);
  await requestAndSendPayout(app, token, 3);
  await reverse(await findJournalId(member_id, 'read'));
  const readEarnings = async () => (await app.request('GET', '/members/me/earnings', { token })).body;
  expect(await readEarnings()).toMatchObject({ available_amount: -3, paid_out_amount: 3, total_earned: 0 });
  await addIncome(8_000_000n);
  expect(await readEarnings()).toMatchObject({ available_amount: 3, total_earned: 6 });
});

test('a journal is taken back once, and a reversal not at all', async () => {
  const { member_id } = await app.registerMember();
  await recordSoldRead(app, member_id, { gross: 1_000_000n });
  const id = await findJournalId(member_id, 'read');
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => reverse(id)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(reverse(id)).rejects.toThrow('was taken back before');
  await expect(reverse(await findJournalId(member_id, 'reversal'))).rejects.toThrow('cannot be taken back');
});

test('the journals of a payout, an unknown id and no id are refused', async () => {
  const { member_id, token } = await app.registerMember();
  await recordSoldRead(app, member_id, { gross: 4_000_000n, hold_seconds: 0 });
  await requestAndSendPayout(app, token, 1);
  for (const kind of ['payout', 'settlement'])
    await expect(reverse(await findJournalId(member_id, kind))).rejects.toThrow('cannot be taken back');
  await expect(reverse(unknownId)).rejects.toThrow('there is no journal');
  await expect(reverse('7')).rejects.toThrow(OperatorError);
  await expect(reverseJournal(app.platform, { journal: unknownId, reason: 'x'.repeat(201) })).rejects.toThrow(
    'at most 200',
  );
});

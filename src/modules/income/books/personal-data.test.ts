import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { recordSoldRead, requestAndSendPayout, sample_destination } from '#test/modules/books.ts';
import { checkBooks } from './checking/check-books.ts';
import { personalData } from './personal-data.ts';

const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0', TESSERA_RETENTION_SECONDS: '0' });

async function eraseMember({ token }: { token: string }): Promise<void> {
  const { status } = await app.request('DELETE', '/members/me', { token });
  if (status >= 300) throw new Error(`the deletion was refused with ${status}`);
  await app.drainQueue();
}

async function countMentions(text: string): Promise<number> {
  const { count } = await app.sql.one(sql<{ count: number }>`
    select (select count(*) from ledger_journals as each where each::text like ${`%${text}%`})
      + (select count(*) from ledger_postings as each where each::text like ${`%${text}%`})
      + (select count(*) from payouts as each where each::text like ${`%${text}%`})
      + (select count(*) from reads as each where each::text like ${`%${text}%`}) as count`);
  return count;
}

test('an erasure severs the person, and keeps every amount of the books', async () => {
  const [leaving, staying] = [await app.registerMember(), await app.registerMember()];
  const { org_id } = await app.registerOrgAdmin();
  for (const { member_id } of [leaving, staying]) {
    await recordSoldRead(app, member_id, { gross: 4_000_000n, hold_seconds: 0, org_id });
    await recordSoldRead(app, member_id, { gross: 33_333n, org_id });
    await recordSoldRead(app, member_id, { org_id });
  }
  await requestAndSendPayout(app, leaving.token, 1);
  const before = await checkBooks(app.platform);
  await eraseMember(leaving);
  expect(await countMentions(leaving.member_id)).toBe(0);
  expect(await countMentions(sample_destination), 'where the money went').toBe(0);
  expect(await countMentions(staying.member_id)).toBeGreaterThan(0);
  const after = await checkBooks(app.platform);
  expect(after.balances).toEqual(before.balances);
  expect(after.faults).toEqual([]);
  const { count } = await app.sql.one(
    sql<{ count: number }>`select count(*) from reads where org_id = ${org_id}`,
  );
  expect(count, 'the organisation keeps what it bought').toBe(6);
});

test('an export has the reads, the postings and the payouts of the member', async () => {
  const { member_id, token } = await app.registerMember();
  await recordSoldRead(app, member_id, { gross: 4_000_000n, hold_seconds: 0 });
  await requestAndSendPayout(app, token, 1);
  const exported = await personalData.exportPersonalData(app.sql, member_id, noAccounts);
  expect(exported.map(({ name, rows }) => [name, rows.length])).toEqual([
    ['reads', 1],
    ['ledger_postings', 7],
    ['payouts', 1],
  ]);
  expect(JSON.stringify(exported)).not.toContain('user_id');
});

test('a payout in progress reaches its owner after the erasure, and then loses its destination', async () => {
  const { member_id, token } = await app.registerMember();
  await recordSoldRead(app, member_id, { gross: 4_000_000n, hold_seconds: 0 });
  await app.request('POST', '/members/me/payouts', {
    token,
    body: { amount: 1.5, destination: '0x00000000000000000000000000000000000000b2' },
  });
  await app.request('DELETE', '/members/me', { token });
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, member_id, noAccounts));
  expect(await countMentions('00000000000000000000000000000000000000b2')).toBeGreaterThan(0);
  await app.drainQueue();
  expect(await countMentions('00000000000000000000000000000000000000b2')).toBe(0);
  const { paid } = await app.sql.one(
    sql<{
      paid: number;
    }>`select count(*) as paid from payouts where amount_micros = 1500000 and status = 'paid'`,
  );
  expect(paid).toBe(1);
  expect((await checkBooks(app.platform)).faults).toEqual([]);
});

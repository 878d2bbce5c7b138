import { beforeEach, describe, expect, test } from 'vitest';
import { checkBooks } from '#modules/income/books';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { recordSoldRead, sample_destination } from '#test/modules/books.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import type { TestMember } from '#test/users.ts';
import { advancePayout } from './payouts/advance-payout.ts';
import { mockRail } from './payouts/payout-rail.ts';
import { endPayout, listUnfinished, lockPayout, updateSending } from './payouts/store.ts';
import { postJournal } from './journals/post-journal.ts';
import { reverseJournal } from './journals/reverse-journal.ts';
import { buildSettlementJournal } from './payouts/rules.ts';
import { chooseSuccessor, keepCheckpoint, severHolder } from './journals/store.ts';

let member: TestMember;
let successor: string;
const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });
beforeEach(async () => {
  member = await app.registerMember();
  successor = await app.platform.database.transaction((tx) => chooseSuccessor(tx, member.member_id));
  await recordSoldRead(app, member.member_id, { gross: 4_000_000n, hold_seconds: 0 });
});

/** Marks the account for deletion, as the member does. */
const markForDeletion = async () => {
  const { status } = await app.request('DELETE', '/members/me', { token: member.token });
  expect(status).toBeLessThan(300);
};

/**
 * Moves the books as an erasure does, and starts `other` before the commit, which must wait for it. The reads, which the erasure moves as well, are left out.
 */
async function eraseDuring(other: () => Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  await markForDeletion();
  let running: Promise<unknown> | undefined;
  await app.platform.database.transaction(async (tx) => {
    await severHolder(tx, member.member_id, successor);
    running = Promise.allSettled([other()]).then(([outcome]) => outcome);
    await waitUntilBlocked(app);
  });
  return (await running) as PromiseSettledResult<unknown>;
}

/** Counts the rows that still have the id of the member. */
async function countMentions(): Promise<number> {
  const { count } = await app.sql.one(sql<{ count: number }>`
    select (select count(*) from ledger_journals as each where each::text like ${`%${member.member_id}%`})
      + (select count(*) from ledger_postings as each where each::text like ${`%${member.member_id}%`})
      + (select count(*) from ledger_checkpoints as each where each::text like ${`%${member.member_id}%`})
      + (select count(*) from payouts as each where each::text like ${`%${member.member_id}%`}) as count`);
  return count;
}

/** The faults of the books, apart from the reads, which stayed. */
const listFaults = async () =>
  (await checkBooks(app.platform)).faults.filter(({ code }) => !code.includes('read'));

const listPayouts = () =>
  app.sql.list(sql<{ holder_id: string; status: string; destination: string | null }>`
    select holder_id, status, destination from payouts where holder_id in (${member.member_id}, ${successor})`);

test('a checkpoint that has waited for an erasure is not made', async () => {
  const outcome = await eraseDuring(() =>
    app.platform.database.transaction((tx) => keepCheckpoint(tx, member.member_id, app.clock.now())),
  );
  expect(outcome.status).toBe('fulfilled');
  expect(await countMentions()).toBe(0);
  expect(await listFaults()).toEqual([]);
});

test('a checkpoint that was made while an erasure waited for it goes with the member', async () => {
  await markForDeletion();
  let erasing: Promise<void> | undefined;
  await app.platform.database.transaction(async (tx) => {
    await keepCheckpoint(tx, member.member_id, app.clock.now());
    erasing = app.platform.database.transaction((other) => severHolder(other, member.member_id, successor));
    await waitUntilBlocked(app);
  });
  await erasing;
  expect(await countMentions()).toBe(0);
  expect(await listFaults()).toEqual([]);
});

test('a reversal that has waited for an erasure finds nothing, and the next one takes the journal back where it is now', async () => {
  const { id } = await app.sql.one(sql<{ id: string }>`
    select id from ledger_journals where kind = 'read' and holder_id = ${member.member_id}`);
  const reverse = () => reverseJournal(app.platform, { journal: id, reason: 'the block was dropped' });
  const outcome = await eraseDuring(reverse);
  expect(outcome).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringContaining('moved') },
  });
  expect(await countMentions()).toBe(0);
  await reverse();
  const { holder_id } = await app.sql.one(
    sql<{ holder_id: string }>`select holder_id from ledger_journals where reversed_id = ${id}`,
  );
  expect(holder_id).toBe(successor);
  expect(await listFaults()).toEqual([]);
});

describe('a payout', () => {
  beforeEach(async () => {
    const body = { amount: 2, destination: sample_destination };
    const { status } = await app.request('POST', '/members/me/payouts', { token: member.token, body });
    if (status !== 201) throw new Error(`the payout was refused with ${status}`);
  });
  const findUnfinished = async () => (await listUnfinished(app.platform.database, undefined, 10))[0]!;

  test('that a worker was about to send ends once, where the erasure has moved it', async () => {
    const payout = await findUnfinished();
    const outcome = await eraseDuring(() => advancePayout(app.platform, mockRail, payout));
    expect(outcome.status).toBe('fulfilled');
    expect(await listPayouts()).toEqual([
      { holder_id: successor, status: 'requested', destination: sample_destination },
    ]);
    await advancePayout(app.platform, mockRail, await findUnfinished());
    expect(await listPayouts()).toEqual([{ holder_id: successor, status: 'paid', destination: null }]);
    expect(await countMentions()).toBe(0);
    expect(await listFaults()).toEqual([]);
  });

  test('that ends while an erasure begins is moved with its end', async () => {
    const payout = await findUnfinished();
    await app.platform.database.transaction((tx) =>
      updateSending(tx, payout, { transaction_hash: 'hash', signed_transaction: 'signed' }, app.clock.now()),
    );
    await markForDeletion();
    let erasing: Promise<void> | undefined;
    await app.platform.database.transaction(async (tx) => {
      const locked = (await lockPayout(tx, payout))!;
      erasing = app.platform.database.transaction((other) => severHolder(other, member.member_id, successor));
      await waitUntilBlocked(app);
      const ended_at = app.clock.now();
      await postJournal(tx, buildSettlementJournal(locked, ended_at));
      await endPayout(tx, payout, { status: 'paid', transaction_hash: 'hash', ended_at });
    });
    await erasing;
    expect(await listPayouts()).toEqual([{ holder_id: successor, status: 'paid', destination: null }]);
    expect(await countMentions()).toBe(0);
    expect(await listFaults()).toEqual([]);
  });
});

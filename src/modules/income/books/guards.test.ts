import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { sql, type Database, type Transaction } from '#platform/database/database.ts';
import { listWorkers } from '#test/cluster/distribute-database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createSold, listAccounts, postSold } from '#test/modules/books.ts';
import { postReadJournal } from './earnings/record-read.ts';
import { shiftTime } from '#test/shift-time.ts';

const app = await startApp();
const isDistributed = listWorkers(inject('server')).length > 0;

/** The service's own role, and the owner of the tables, who is a superuser in tests. */
const listRoles = (on: TestApp): readonly (readonly [string, Database])[] => [
  ['the service', on.platform.database],
  ['the owner', on.sql],
];

/** Adds a journal with these postings, without the rules of the module. */
function insertRaw(database: Database, holder_id: string, amounts: readonly number[]): Promise<void> {
  return database.transaction(async (tx) => {
    const id = randomUUID();
    await tx.run(sql`
      insert into ledger_journals (holder_id, id, kind, idempotency_key, body_hash, posted_at)
      values (${holder_id}, ${id}, 'payout', ${id}, sha256('x'), now())`);
    const accounts = ['cash_mock', 'cash_chain', 'platform_income', 'owed_to_payers'];
    for (const [index, amount] of amounts.entries())
      await tx.run(sql`
        insert into ledger_postings (holder_id, journal_id, account, amount)
        values (${holder_id}, ${id}, ${accounts[index]}, ${amount})`);
  });
}

/** Adds a payout without the rules of the module. */
function insertPayout(tx: Transaction, id: string, status: 'requested' | 'paid'): Promise<unknown> {
  return tx.run(sql`
    insert into payouts (holder_id, id, kind, status, amount_micros, rail, requested_at, ended_at)
    values (${randomUUID()}, ${id}, 'income', ${status}, 5, 'mock', now(), ${status === 'paid' ? app.clock.now() : null})`);
}

describe('the database refuses', () => {
  test.each([
    [[100, -99], 'unbalanced by 1'],
    [[100], 'unbalanced by 100'],
    [[5, -2, -2], 'unbalanced by 1'],
    [[], 'has no postings'],
    [[100, -100, 0], 'ledger_postings_amount_check'],
  ])('a journal with the postings %j', async (amounts, message) => {
    const holder = randomUUID();
    for (const [, database] of listRoles(app))
      // A node of a distributed database refuses at its commit, and the first node says only that.
      await expect(insertRaw(database, holder, amounts)).rejects.toThrow(
        isDistributed ? new RegExp(`${message}|could not commit transaction`) : message,
      );
    expect(await listAccounts(app, holder)).toEqual({});
  });

  test('a posting that is added to an older journal', async () => {
    const sold = createSold(app);
    const { journal_id } = await postSold(app, sold);
    for (const [, database] of listRoles(app))
      await expect(
        database.run(sql`
          insert into ledger_postings (holder_id, journal_id, account, amount)
          values (${sold.member_id}, ${journal_id}, 'owed_to_payers', 1)`),
      ).rejects.toThrow('unbalanced by 1');
  });

  test('a posting without a journal', async () => {
    await expect(
      app.sql.run(sql`
        insert into ledger_postings (holder_id, journal_id, account, amount)
        values (${randomUUID()}, ${randomUUID()}, 'cash_mock', 1)`),
    ).rejects.toThrow(/foreign key/);
  });

  test('every change of the books', async () => {
    const sold = createSold(app);
    await postSold(app, sold);
    const before = await listAccounts(app, sold.member_id);
    const holder_id = sold.member_id;
    const changes = [
      sql`update ledger_postings set amount = amount * 2 where holder_id = ${holder_id}`,
      sql`update ledger_journals set reason = 'x' where holder_id = ${holder_id}`,
      sql`delete from ledger_postings where holder_id = ${holder_id}`,
      sql`delete from ledger_journals where holder_id = ${holder_id}`,
      sql`truncate ledger_postings`,
      sql`truncate ledger_journals cascade`,
    ];
    for (const [role, database] of listRoles(app))
      for (const change of changes)
        await expect(database.run(change), `${role}: ${change.text}`).rejects.toThrow(
          /append-only|permission denied|foreign key/,
        );
    expect(await listAccounts(app, holder_id)).toEqual(before);
  });

  test('a deletion that pretends to be an erasure, because no copy is there', async () => {
    const sold = createSold(app);
    await postSold(app, sold);
    const successor = randomUUID();
    const deleteAsErased = (table: 'postings' | 'journals') =>
      app.platform.database.transaction(async (tx) => {
        await tx.client.query(`set local tessera.severed_holder = '${sold.member_id}'`);
        await tx.client.query(`set local tessera.severed_as = '${successor}'`);
        await tx.client.query(`delete from ledger_${table} where holder_id = '${sold.member_id}'`);
      });
    for (const table of ['postings', 'journals'] as const)
      await expect(deleteAsErased(table)).rejects.toThrow(/append-only|foreign key/);
  });

  test('a move of the books of a member to another one, although the copies are there', async () => {
    const [{ member_id: victim }, { member_id: thief }] = [
      await app.registerMember(),
      await app.registerMember(),
    ];
    await postSold(app, createSold(app, { member_id: victim }));
    const before = await listAccounts(app, victim);
    for (const [, database] of listRoles(app))
      await expect(
        database.transaction(async (tx) => {
          for (const statement of [
            `insert into ledger_journals
              (holder_id, id, kind, idempotency_key, body_hash, org_id, read_id, payment_id, payout_id, reversed_id, rail, share_bps, reason, posted_at)
            select '${thief}', id, kind, idempotency_key, body_hash, org_id, read_id, payment_id, payout_id, reversed_id, rail, share_bps, reason, posted_at
            from ledger_journals where holder_id = '${victim}'`,
            `insert into ledger_postings (holder_id, journal_id, account, amount, available_at)
            select '${thief}', journal_id, account, amount, available_at from ledger_postings where holder_id = '${victim}'`,
            `set local tessera.severed_holder = '${victim}'`,
            `set local tessera.severed_as = '${thief}'`,
            `delete from ledger_postings where holder_id = '${victim}'`,
            `delete from ledger_journals where holder_id = '${victim}'`,
          ])
            await tx.client.query(statement);
        }),
      ).rejects.toThrow('append-only');
    expect(await listAccounts(app, victim)).toEqual(before);
    expect(await listAccounts(app, thief)).toEqual({});
  });

  test('an erasure of a member whose account is not marked for deletion', async () => {
    const { member_id } = await app.registerMember();
    await postSold(app, createSold(app, { member_id }));
    await expect(app.sql.run(sql`select sever_ledger(${member_id}, ${randomUUID()})`)).rejects.toThrow(
      'not marked for deletion',
    );
  });

  test('income and paid payouts that are posted with an older snapshot, which a new checkpoint is not in', async () => {
    const selling = app.platform.database.transaction((tx) => postReadJournal(tx, createSold(app)), {
      isolation: 'repeatable read',
    });
    await expect(selling).rejects.toThrow('read committed');
    await expect(
      app.sql.transaction((tx) => insertPayout(tx, randomUUID(), 'paid'), { isolation: 'serializable' }),
    ).rejects.toThrow('read committed');
  });

  test('every change of what a payout pays, and of how it ended', async () => {
    const [open, paid] = [randomUUID(), randomUUID()];
    await app.sql.transaction(async (tx) => {
      await insertPayout(tx, open, 'requested');
      await insertPayout(tx, paid, 'paid');
    });
    const changes = [
      sql`update payouts set status = 'requested', ended_at = null where id = ${paid}`,
      sql`update payouts set status = 'returned' where id = ${paid}`,
      sql`update payouts set amount_micros = 1 where id = ${paid}`,
      sql`update payouts set ended_at = ${shiftTime('ended_at', -1)} where id = ${paid}`,
      sql`update payouts set status = 'paid', ended_at = now() where id = ${open}`,
      sql`update payouts set holder_id = ${randomUUID()} where id = ${open}`,
      sql`update payouts set kind = 'refund', payment_id = ${randomUUID()} where id = ${open}`,
      sql`update payouts set rail = 'chain' where id = ${open}`,
      sql`delete from payouts where id = ${open}`,
      sql`delete from payouts where id = ${paid}`,
      sql`truncate payouts`,
    ];
    const refused = /never changes|never deleted|cannot change|append-only|permission denied/;
    for (const [role, database] of listRoles(app))
      for (const change of changes)
        await expect(database.run(change), `${role}: ${change.text}`).rejects.toThrow(
          isDistributed ? new RegExp(`${refused.source}|modifying the partition value`) : refused,
        );
  });

  test('a paid read without a journal, and a free one with money', async () => {
    const insertRead = (payment_type: string, gross: number, journal: string | null) =>
      app.sql.run(sql`
        insert into reads (member_id, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, payment_id,
          journal_id, created_at)
        values (${randomUUID()}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, 'archetype', ${payment_type}, ${gross}, 0, 7500, 10000,
          ${journal}, ${journal}, now())`);
    await expect(insertRead('x402', 50_000, null)).rejects.toThrow('reads_check');
    await expect(insertRead('allowance', 50_000, null)).rejects.toThrow('reads_check');
    await expect(insertRead('allowance', 0, randomUUID())).rejects.toThrow('reads_check');
  });
});

describe('without its guard, the database would accept', () => {
  test('an unbalanced journal and a change', async () => {
    const own = await startApp();
    await own.sql.run(sql`drop trigger ledger_postings_balanced on ledger_postings`);
    await own.sql.run(sql`drop trigger ledger_postings_append_only on ledger_postings`);
    const holder = randomUUID();
    await insertRaw(own.sql, holder, [100, -99]);
    await own.sql.run(
      sql`update ledger_postings set amount = 98 where holder_id = ${holder} and amount = 100`,
    );
    expect(await listAccounts(own, holder)).toEqual({ cash_mock: 98, cash_chain: -99 });
  });
});

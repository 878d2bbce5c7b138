import { randomUUID } from 'node:crypto';
import { recordRead } from '#modules/income/books';
import { sql } from '#platform/database/database.ts';
import { postReadJournal } from '../../src/modules/income/books/earnings/record-read.ts';
import type { TestApp } from '../harness.ts';

type Sold = Parameters<typeof postReadJournal>[1];

/** A paid read of 0.25 USD on the mock rail that nothing else in the database knows. */
export function createSold(app: TestApp, overrides: Partial<Sold> = {}): Sold {
  return {
    read_id: randomUUID(),
    member_id: randomUUID(),
    org_id: randomUUID(),
    payment_id: randomUUID(),
    rail: 'mock',
    gross: 250_000n,
    share_bps: 7_500,
    at: app.clock.now(),
    hold_seconds: 604_800,
    ...overrides,
  };
}

/** Posts a paid read in a transaction of its own. */
export function postSold(app: TestApp, sold: Sold): ReturnType<typeof postReadJournal> {
  return app.platform.database.transaction((tx) => postReadJournal(tx, sold));
}

/** The balances of a holder's accounts: debits are positive. */
export async function listAccounts(
  app: TestApp,
  holder_id: string,
): Promise<Readonly<Record<string, number>>> {
  const rows = await app.sql.list(sql<{ account: string; balance: number }>`
    select account, sum(amount)::bigint as balance from ledger_postings where holder_id = ${holder_id} group by account`);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}

/**
 * Records a read as the paid read does, in one transaction: the journal, if it was paid, and the read. A read without a `gross` is free.
 *
 * @returns the id of the read.
 */
export async function recordSoldRead(
  app: TestApp,
  member_id: string,
  { gross = 0n, data_type = 'trait_profile', ...overrides }: SoldRead = {},
): Promise<string> {
  const { read_id: id, hold_seconds, rail, payment_id, org_id, share_bps, at } = createSold(app, overrides);
  const payment = { payment_id, rail, protocol_version: 'mock', amount: gross } as const;
  await app.platform.database.transaction((tx) =>
    recordRead(
      tx,
      {
        id,
        member_id,
        org_id,
        user_id: randomUUID(),
        data_type,
        share_bps,
        multiplier_bps: 10_000,
        created_at: at,
        payment: gross > 0n ? payment : null,
      },
      hold_seconds,
    ),
  );
  return id;
}

type SoldRead = Partial<Sold> & { readonly data_type?: Parameters<typeof recordRead>[1]['data_type'] };

/** A destination that every rail accepts. */
export const sample_destination = '0x00000000000000000000000000000000000000a1';

/** Requests a payout over the API, and lets the worker send it. */
export async function requestAndSendPayout(app: TestApp, token: string, amount: number): Promise<void> {
  const body = { amount, destination: sample_destination };
  const { status } = await app.request('POST', '/members/me/payouts', { token, body });
  if (status !== 201) throw new Error(`the payout was refused with ${status}`);
  await app.drainQueue();
}

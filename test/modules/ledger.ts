import { randomUUID } from 'node:crypto';
import { recordRead } from '#modules/income/earnings';
import { postReadJournal } from '#modules/income/ledger';
import { sql } from '#platform/database/database.ts';
import type { TestApp } from '../harness.ts';

type Sale = Parameters<typeof postReadJournal>[1];

/** A sale of 0.25 USD on the mock rail that nothing else in the database knows. */
export function createSale(app: TestApp, overrides: Partial<Sale> = {}): Sale {
  return {
    readId: randomUUID(),
    memberId: randomUUID(),
    orgId: randomUUID(),
    claimId: randomUUID(),
    rail: 'mock',
    gross: 250_000n,
    shareBps: 7_500,
    at: app.clock.now(),
    holdSeconds: 604_800,
    ...overrides,
  };
}

/** Posts a sale in a transaction of its own. */
export function postSale(app: TestApp, sale: Sale): ReturnType<typeof postReadJournal> {
  return app.platform.database.transaction((tx) => postReadJournal(tx, sale));
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
  const sale = createSale(app, { memberId: member_id, gross, ...overrides });
  const { readId, orgId, shareBps, at } = sale;
  await app.platform.database.transaction(async (tx) => {
    const posted = gross > 0n ? await postReadJournal(tx, sale) : undefined;
    recordRead(tx, {
      id: readId,
      memberId: member_id,
      orgId,
      userId: randomUUID(),
      dataType: data_type,
      paymentType: posted ? sale.rail : 'allowance',
      gross,
      memberShare: posted?.memberShare ?? 0n,
      shareBps,
      multiplierBps: 10_000,
      claimId: posted ? sale.claimId : null,
      protocolVersion: posted ? 'mock' : null,
      journalId: posted?.journalId ?? null,
      at,
    });
  });
  return readId;
}

type SoldRead = Partial<Sale> & { readonly data_type?: Parameters<typeof recordRead>[1]['dataType'] };

/** A destination that every rail accepts. */
export const sample_destination = '0x00000000000000000000000000000000000000a1';

/** Requests a payout over the API, and lets the worker send it. */
export async function requestAndSendPayout(app: TestApp, token: string, amount: number): Promise<void> {
  const body = { amount, destination: sample_destination };
  const { status } = await app.request('POST', '/members/me/payouts', { token, body });
  if (status !== 201) throw new Error(`the payout was refused with ${status}`);
  await app.drainQueue();
}

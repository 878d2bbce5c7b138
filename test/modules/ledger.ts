import { randomUUID } from 'node:crypto';
import { postReadJournal } from '#modules/ledger';
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

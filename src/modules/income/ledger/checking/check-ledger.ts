import type { Micros } from '#lib/money.ts';
import type { ChainBalance } from '#modules/income/payments';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import {
  accounts,
  findMissingCash,
  findTrialFault,
  isChainBehind,
  type Account,
  type CashComparison,
  type LedgerFault,
} from '../rules.ts';
import { checkSlices } from './slices.ts';
import {
  listChainTimes,
  listEmptyJournals,
  listStuckPayouts,
  listUnbalancedJournals,
  listWrongCheckpoints,
  listWrongPayouts,
  listWrongShares,
  sumAccounts,
  sumSentOnChain,
} from './store.ts';

/** The trial balance, and what is wrong. */
export type LedgerReport = {
  readonly balances: Readonly<Record<Account, Micros>>;
  /** Null if no chain is configured, or it does not answer. */
  readonly cash: CashComparison | null;
  readonly faults: readonly LedgerFault[];
};

/** A payout takes minutes. After this time, a person must look at it. */
const stuck_ms = 86_400_000;

/**
 * Checks the whole ledger in one snapshot of the database: the trial balance, each journal, the shares of the members, the checkpoints, the payouts, and the cash on the
 * chain.
 *
 * @param readChainBalance Reads what the service owns on the chain; null if none is configured.
 */
export async function checkLedger(
  { database, now }: Pick<Platform, 'database' | 'now'>,
  readChainBalance: () => Promise<ChainBalance | null>,
): Promise<LedgerReport> {
  // Before the books: money that arrives or leaves meanwhile is then in the books rather than missing.
  const chain = await readChainBalance();
  return database.transaction(
    async (tx) => {
      const sums = new Map<Account, Micros>();
      for (const { account, balance } of await checkSlices((slice) => sumAccounts(tx, slice)))
        sums.set(account, (sums.get(account) ?? 0n) + balance);
      const balances = Object.fromEntries(
        accounts.map((account) => [account, sums.get(account) ?? 0n]),
      ) as Readonly<Record<Account, Micros>>;
      const cash = chain === null ? null : await compareCash(tx, balances.cash_chain, chain);
      const faults = [
        findTrialFault([...sums.values()].map((balance) => ({ balance }))) ?? [],
        await checkSlices((slice) => listUnbalancedJournals(tx, slice)),
        await checkSlices((slice) => listEmptyJournals(tx, slice)),
        await checkSlices((slice) => listWrongShares(tx, slice)),
        await checkSlices((slice) => listWrongCheckpoints(tx, slice)),
        await checkSlices((slice) => listWrongPayouts(tx, slice)),
        await listStuckPayouts(tx, new Date(now().getTime() - stuck_ms)),
        (cash && findMissingCash(cash)) ?? [],
      ].flat();
      return { balances, cash, faults };
    },
    { isolation: 'repeatable read' },
  );
}

async function compareCash(
  tx: Transaction,
  books: Micros,
  { balance, head_at }: ChainBalance,
): Promise<CashComparison> {
  const times = await checkSlices((slice) => listChainTimes(tx, slice));
  const booked_at = times.length === 0 ? null : new Date(Math.max(...times.map(({ at }) => at.getTime())));
  const isBehind = isChainBehind(head_at, booked_at);
  return { books, chain: balance, sent: await sumSentOnChain(tx), isBehind };
}

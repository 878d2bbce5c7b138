import type { Micros } from '#lib/money.ts';
import { readChainBalance, type ChainBalance } from '#modules/income/payments';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { accounts, type Account } from '../journals/rules.ts';
import { checkSlices, cutSlices, whole_postings_max, type Slice } from '../journals/slices.ts';
import { countPostings } from '../journals/store.ts';
import {
  findMissingCash,
  findStrayMoney,
  findTrialFault,
  isChainBehind,
  type BookFault,
  type BooksReport,
  type CashComparison,
} from './rules.ts';
import * as store from './store.ts';

/** A payout takes minutes. After this time, a person must look at it. */
const stuck_ms = 86_400_000;

/**
 * Checks the books in one snapshot of the database: the trial balance, each journal, the shares of the members, the checkpoints, the payouts, the cash
 * on the chain, that every paid read has its journal of the same amounts and every journal of a read its read, that every payment has the read or
 * the refund that it ended with, and the prepaid balances with what was taken from them.
 */
export async function checkBooks(platform: Platform): Promise<BooksReport> {
  // Before the books: money that arrives or leaves meanwhile is then in the books rather than missing.
  const chain = await readChainBalance(platform);
  const stuck_before = new Date(platform.now().getTime() - stuck_ms);
  return platform.database.transaction(
    async (tx) => {
      const slices = cutSlices(await countPostings(tx, whole_postings_max));
      const balances = await sumBalances(tx, slices);
      const cash = chain === null ? null : await compareCash(tx, slices, balances.cash_chain, chain);
      const faults = [
        findTrialFault(Object.values(balances)) ?? [],
        ...(await listFaultsOfSlices(tx, slices)),
        await store.listStuckPayouts(tx, stuck_before),
        (cash && findMissingCash(cash)) ?? [],
        findStrayMoney(balances.balance_in_use, await store.sumUnreadPayments(tx)) ?? [],
      ].flat();
      return { balances, cash, faults };
    },
    { isolation: 'repeatable read' },
  );
}

async function sumBalances(
  tx: Transaction,
  slices: readonly Slice[],
): Promise<Readonly<Record<Account, Micros>>> {
  const sums = new Map<Account, Micros>();
  for (const { account, balance } of await checkSlices(slices, (slice) => store.sumAccounts(tx, slice)))
    sums.set(account, (sums.get(account) ?? 0n) + balance);
  return Object.fromEntries(accounts.map((account) => [account, sums.get(account) ?? 0n])) as Record<
    Account,
    Micros
  >;
}

async function compareCash(
  tx: Transaction,
  slices: readonly Slice[],
  books: Micros,
  { balance, head_at }: ChainBalance,
): Promise<CashComparison> {
  const times = await checkSlices(slices, (slice) => store.listChainTimes(tx, slice));
  const booked_at = times.length === 0 ? null : new Date(Math.max(...times.map(({ at }) => at.getTime())));
  const is_behind = isChainBehind(head_at, booked_at);
  return { books, chain: balance, sent: await store.sumSentOnChain(tx), is_behind };
}

/** What lists the faults of each kind in one slice of the ids. */
const checks = {
  journal_unbalanced: store.listUnbalancedJournals,
  journal_empty: store.listEmptyJournals,
  share_wrong: store.listWrongShares,
  checkpoint_wrong: store.listWrongCheckpoints,
  payout_wrong: store.listWrongPayouts,
  read_without_journal: store.listReadsWithoutJournal,
  journal_without_read: store.listJournalsWithoutRead,
  read_amount_wrong: store.listReadsWithOtherAmounts,
  payment_without_read: store.listPaymentsWithoutRead,
  payment_without_refund: store.listPaymentsWithoutRefund,
  charge_wrong: store.listWrongCharges,
  balance_wrong: store.listWrongBalances,
} satisfies Partial<
  Record<BookFault['code'], (db: Transaction, slice: Slice) => Promise<readonly store.Found[]>>
>;

async function listFaultsOfSlices(tx: Transaction, slices: readonly Slice[]): Promise<readonly BookFault[]> {
  const faults: BookFault[] = [];
  for (const [code, list] of Object.entries(checks) as [
    keyof typeof checks,
    (typeof checks)['share_wrong'],
  ][])
    for (const found of await checkSlices(slices, (slice) => list(tx, slice)))
      faults.push({ code, ...found });
  return faults;
}

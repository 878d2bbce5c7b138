import { checkLedger, checkSlices, type LedgerReport } from '#modules/income/ledger';
import { readChainBalance } from '#modules/income/payments';
import type { Platform } from '#platform/platform.ts';
import {
  listJournalsWithoutRead,
  listPaymentsWithoutRead,
  listPaymentsWithoutRefund,
  listReadsWithOtherAmounts,
  listReadsWithoutJournal,
} from './store.ts';

type Fault = LedgerReport['faults'][number];

/**
 * Checks the ledger, that every paid read has its journal of the same amounts and every journal of a read its read, and that every payment has
 * the read or the refund that it ended with.
 */
export async function checkBooks(platform: Platform): Promise<LedgerReport> {
  const { balances, cash, faults } = await checkLedger(platform, () => readChainBalance(platform));
  const more = await Promise.all(
    comparisons.map(async ([code, list]) => {
      const found = await checkSlices((slice) => list(platform.database, slice));
      return found.map((each): Fault => ({ code, ...each }));
    }),
  );
  return { balances, cash, faults: [...faults, ...more.flat()] };
}

/** What reads, journals and payments must say alike, and what lists those that do not. */
const comparisons = [
  ['read_without_journal', listReadsWithoutJournal],
  ['journal_without_read', listJournalsWithoutRead],
  ['read_amount_wrong', listReadsWithOtherAmounts],
  ['payment_without_read', listPaymentsWithoutRead],
  ['payment_without_refund', listPaymentsWithoutRefund],
] as const;

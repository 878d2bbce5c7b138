import { checkLedger, checkSlices, type LedgerReport } from '#modules/ledger';
import { readChainBalance } from '#modules/payments';
import type { Platform } from '#platform/platform.ts';
import { listJournalsWithoutRead, listReadsWithoutJournal } from './store.ts';

type Fault = LedgerReport['faults'][number];

/** Checks the ledger, and that every paid read has its journal and every journal of a read its read. */
export async function checkBooks(platform: Platform): Promise<LedgerReport> {
  const { balances, cash, faults } = await checkLedger(platform, () => readChainBalance(platform));
  const [reads, journals] = await Promise.all([
    checkSlices((slice) => listReadsWithoutJournal(platform.database, slice)),
    checkSlices((slice) => listJournalsWithoutRead(platform.database, slice)),
  ]);
  const more: readonly Fault[] = [
    ...reads.map((read) => ({ code: 'read_without_journal' as const, ...read })),
    ...journals.map((journal) => ({ code: 'journal_without_read' as const, ...journal })),
  ];
  return { balances, cash, faults: [...faults, ...more] };
}

export { computeLegibility } from './legibility/compute-legibility.ts';
export { exportReadReceipt } from './export-read-receipt.ts';
export { listHistory } from './list-history.ts';
export { readEarnings } from './read-earnings.ts';
export { readLegibility } from './legibility/read-legibility.ts';
export { readSummary } from './read-summary.ts';
export { checkBooks } from './checking/check-books.ts';
export { readBooks } from './checking/read-books.ts';
export { checkBooksNightly } from './checking/check-books-nightly.ts';
export { readMoneyGauges } from './watching/read-money-gauges.ts';
export { readMoneyState } from './watching/read-money-state.ts';
export { watchChain } from './watching/watch-chain.ts';
export type { MoneyState } from './watching/rules.ts';
export { describeFaults, formatReport, toReportFields } from './checking/describe-report.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { countReads, sumReads } from './store.ts';
export {
  countOrganisationReads,
  findOrganisationRead,
  listMonthlySpend,
  listOrganisationReads,
  type ReadPlace,
} from './store-organisation-reads.ts';
export { recordRead, type NewRead } from './record-read.ts';
export type { Legibility } from './legibility/rules.ts';
export type { MonthlySpend, OrganisationRead, ReadSummary } from './rules.ts';
export { categoryNames, paymentNames } from './rules.ts';

export { announceTopUp } from './balances/announce-top-up.ts';
export { chargeBalance } from './balances/charge-balance.ts';
export { exportStatement } from './balances/export-statement.ts';
export { listTopUps } from './balances/list-top-ups.ts';
export { readBalance } from './balances/read-balance.ts';
export { recordTopUpFromCommand } from './balances/record-top-up-from-command.ts';
export { recordTopUp } from './balances/record-top-up.ts';
export { setBalanceWarning } from './balances/set-balance-warning.ts';
export { findBalance } from './balances/store.ts';
export { checkBooksNightly } from './checking/check-books-nightly.ts';
export { checkBooks } from './checking/check-books.ts';
export { describeFaults, formatReport, toReportFields } from './checking/describe-report.ts';
export { readBooks } from './checking/read-books.ts';
export { listHistory } from './earnings/list-history.ts';
export { readEarnings } from './earnings/read-earnings.ts';
export { readSummary } from './earnings/read-summary.ts';
export { postRefundJournal, recordRead } from './earnings/record-read.ts';
export type {
  ListedRead,
  MarketplaceRead,
  MarketplaceTotals,
  MonthlySpend,
  OrganisationRead,
  PaymentType,
  ReadStatus,
  ReadSummary,
} from './earnings/rules.ts';
export { selectStatus, shownPayments, toShownPayment } from './earnings/rules.ts';
export { toAgreedPrice } from './earnings/wire.ts';
export {
  countOrganisationReads,
  countReads,
  findMarketplaceRead,
  findOrganisationRead,
  findRead,
  listMarketplaceReads,
  listMonthlySpend,
  listOnMarketplace,
  listOrganisationReads,
  sumMarketplaceReads,
  sumReads,
  type ReadPlace,
  type Side,
} from './earnings/store.ts';
export { keepCheckpoints } from './journals/keep-checkpoints.ts';
export { reverseJournal } from './journals/reverse-journal.ts';
export { readBalances } from './journals/store.ts';
export { exportPayoutReceipt } from './payouts/export-payout-receipt.ts';
export { listPayouts } from './payouts/list-payouts.ts';
export { requestPayout } from './payouts/request-payout.ts';
export { returnPayout } from './payouts/return-payout.ts';
export { sendPayouts } from './payouts/send-payouts.ts';
export { personalData } from './personal-data.ts';
export { buildMoneyGauges } from './watching/build-money-gauges.ts';
export { readMoneyState } from './watching/read-money-state.ts';
export type { MoneyState } from './watching/rules.ts';
export { watchChain } from './watching/watch-chain.ts';

export { listPayouts } from './payouts/list-payouts.ts';
export { requestPayout } from './payouts/request-payout.ts';
export { sendPayouts } from './payouts/send-payouts.ts';
export { checkLedger, type LedgerReport } from './checking/check-ledger.ts';
export { reverseJournal } from './reverse-journal.ts';
export { postReadJournal, postRefundJournal, type PostedSale } from './post-sales.ts';
export type { Balances, Rail, ReadSale, Refund } from './rules.ts';
export { exportLedger, severHolder } from './sever-holder.ts';
export { readBalances } from './store.ts';

export { postReadJournal, postRefundJournal, type PostedSale } from './post-sales.ts';
export type { Balances, Rail, ReadSale, Refund } from './rules.ts';
export { exportLedger, severHolder } from './sever-holder.ts';
export { readBalances } from './store.ts';

export { createTransaction } from './create-transaction.ts';
export { listPurchases } from './list-purchases.ts';
export { listSales } from './list-sales.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { readTransaction } from './read-transaction.ts';
export { recordTransaction } from './record-transaction.ts';

export { purchaseFinished, readRecorded } from './events.ts';
export { finishPayments } from './finish-payments.ts';
export { forgetQuotes } from './forget-quotes.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { listReads } from './list-reads.ts';
export { queryCredential } from './query-credential.ts';
export { findPriceOfRead, queryMember, type Query, type RecordedRead } from './query-member.ts';
export { readAllowance } from './read-allowance.ts';
export { dataTypes, queryRefusals, readBasePrice, share_bps, type DataType } from './rules.ts';

export { readRecorded } from './events.ts';
export { finishPayments } from './finish-payments.ts';
export { forgetQuotes } from './forget-quotes.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { queryCredential } from './query-credential.ts';
export { queryMember, type Query, type QueryContext, type QueryReply } from './query-member.ts';
export { dataTypes, type DataType } from './rules.ts';
export { queryResultWire, type QueryResult } from './wire.ts';

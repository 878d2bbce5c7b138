export { claimPayment, type ClaimedPayment } from './claim-payment.ts';
export { listUnrecorded, type UnrecordedPayment } from './claims/list-unrecorded.ts';
export { recordPayment, type JsonValue } from './claims/record-payment.ts';
export { refusePayment } from './claims/refuse-payment.ts';
export { buildPaymentRequired, requirePayment, type Offer, type PaymentRequired } from './pricing.ts';
export { parsePaymentArgument, readPaymentProof, type PaymentProof } from './proof.ts';
export { paymentRefusals } from './refusals.ts';
export type { ProtocolVersion, Purchase, Rail } from './rules.ts';
export type { SettledPayment } from './settled-payment.ts';

export {
  openPayoutChain,
  openSharedChain,
  readChainBalance,
  readChainHead,
  type ChainBalance,
  type Chain,
  type MinedTransaction,
} from './chain/chain.ts';
export { ChainUnavailableError } from './chain/chain-unavailable.ts';
export { claimPayment, type ClaimedPayment } from './claim-payment.ts';
export { findRecordedPayment, type RecordedPayment } from './find-recorded-payment.ts';
export { listUnrecorded, type UnrecordedPayment } from './claims/list-unrecorded.ts';
export { listUnresolved } from './claims/list-unresolved.ts';
export { reconcileClaims } from './claims/reconcile-claims.ts';
export { recordPayment, type JsonValue } from './claims/record-payment.ts';
export { refusePayment } from './claims/refuse-payment.ts';
export { countOverduePayments, findSettlement, type Settlement } from './claims/store.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export {
  buildPaymentRequired,
  refuseWithTerms,
  requirePayment,
  type Offer,
  type PaymentRequired,
} from './pricing.ts';
export { parsePaymentArgument, readPaymentProof, type PaymentProof } from './proof.ts';
export { paymentRefusals } from './refusals.ts';
export type { ProtocolVersion, Purchase, Rail } from './rules.ts';
export type { SettledPayment } from './settled-payment.ts';
export { bindWallet } from './wallets/bind-wallet.ts';
export { createChallenge } from './wallets/create-challenge.ts';
export { forgetChallenges } from './wallets/forget-challenges.ts';
export { listWallets } from './wallets/list-wallets.ts';
export { unbindWallet } from './wallets/unbind-wallet.ts';

export {
  checkChain,
  openPayoutChain,
  readChainBalance,
  readChainHead,
  type Chain,
  type ChainBalance,
} from './chain/chain.ts';
export { ChainUnavailableError } from './chain/chain-unavailable.ts';
export { recordPayment, refusePayment } from './end-payment.ts';
export {
  PaymentTakenError,
  storeRecordedPayment,
  type NewPaidRead,
  type PreparedPayment,
} from './open-payment.ts';
export { listUnrecorded, type UnrecordedPayment } from './list-unrecorded.ts';
export { listUnresolved } from './list-unresolved.ts';
export { paymentProblem } from './payment-problem.ts';
export { paymentRefusals, refuseWithTerms, requirePayment, type Offer } from './payment-terms.ts';
export { personalData } from './personal-data.ts';
export { createMockProof } from './rails/mock.ts';
export { readPaymentProof, type PaymentProof } from './rails/proof.ts';
export { reconcilePayments } from './reconcile-payments.ts';
export type { PaidRead, Rail } from './rules.ts';
export { toSettledPayment, type SettledPayment } from './settled-payment.ts';
export { countOverduePayments, findSettlement, type Settlement } from './store.ts';
export {
  findRecordedPayment,
  isSettledAtOnce,
  preparePayment,
  takePayment,
  type TakenPayment,
} from './take-payment.ts';
export { bindWallet } from './wallets/bind-wallet.ts';
export { createChallenge } from './wallets/create-challenge.ts';
export { forgetChallenges } from './wallets/forget-challenges.ts';
export { listWallets } from './wallets/list-wallets.ts';
export { unbindWallet } from './wallets/unbind-wallet.ts';

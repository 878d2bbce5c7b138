import type { RefusalCode } from '#lib/refusal.ts';

/** The refusals of an operation that takes a payment: those of its terms, its proof and its outcome. */
export const paymentRefusals = [
  'malformed_payment',
  'payment_required',
  'payment_expired',
  'payment_failed',
  'payment_funds_insufficient',
  'payment_not_found',
  'payment_not_yet_valid',
  'payment_overpaid',
  'payment_rail_unsupported',
  'payment_scheme_unsupported',
  'payment_signature_invalid',
  'payment_timestamp_skewed',
  'payment_too_old',
  'payment_unconfirmed',
  'payment_underpaid',
  'payment_wallet_foreign',
  'payment_wrong_asset',
  'payment_wrong_network',
  'payment_wrong_payee',
  'payment_already_used',
  'payment_refunded',
  'payment_unresolved',
  'chain_unavailable',
] as const satisfies readonly RefusalCode[];

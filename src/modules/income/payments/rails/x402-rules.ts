import type { RefusalCode } from '#lib/refusals.ts';
import type { ChainSettings } from '#platform/config.ts';
import type { X402Proof } from './proof.ts';
import { isNetwork } from './terms.ts';

/** The highest price of a read, in micro-units. */
const price_max = 1_000_000n;

/** A payment that ends sooner than this cannot be carried out in time. The library has the same limit. */
const least_validity_seconds = 6n;

/**
 * Compares a signed payment with the terms, as far as the chain is not needed.
 *
 * @returns the code of the first thing that is wrong, or undefined.
 */
export function findFaultInTerms(
  { terms, authorization }: X402Proof,
  settings: ChainSettings,
  price: bigint,
  now: Date,
): RefusalCode | undefined {
  const seconds = BigInt(Math.floor(now.getTime() / 1000));
  if (terms.scheme !== 'exact') return 'payment_scheme_unsupported';
  if (!isNetwork(terms.network, settings)) return 'payment_wrong_network';
  // Version 1 does not repeat the token. Its signature is for one token, as in version 2, and is checked with ours.
  if (terms.asset !== null && terms.asset.toLowerCase() !== settings.asset) return 'payment_wrong_asset';
  if (authorization.to !== settings.payTo) return 'payment_wrong_payee';
  if (authorization.value < price) return 'payment_underpaid';
  // Its signer may have been quoted a higher price a moment ago, but never more than this.
  if (authorization.value > price_max && authorization.value > price) return 'payment_overpaid';
  if (authorization.validBefore < seconds + least_validity_seconds) return 'payment_expired';
  if (authorization.validAfter > seconds) return 'payment_not_yet_valid';
  return undefined;
}

/** Translates the reason of a facilitator. Facilitators spell them differently, and only the well-known words matter to a client. */
export function toRefusalCode(reason: string): RefusalCode {
  if (/insufficient/.test(reason)) return 'payment_funds_insufficient';
  if (/signature/.test(reason)) return 'payment_signature_invalid';
  if (/valid_before|expired/.test(reason)) return 'payment_expired';
  if (/valid_after|not_yet/.test(reason)) return 'payment_not_yet_valid';
  if (/network/.test(reason)) return 'payment_wrong_network';
  if (/recipient/.test(reason)) return 'payment_wrong_payee';
  if (/scheme|payload_type|not_supported|factory/.test(reason)) return 'payment_scheme_unsupported';
  return 'payment_failed';
}

/** Whether the payment could have been carried out already, by someone else who has it. */
export function mayBeMined(reason: string): boolean {
  return /nonce|simulation|transaction|unspecified/.test(reason);
}

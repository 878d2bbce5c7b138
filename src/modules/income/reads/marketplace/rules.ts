import { microsFromNumber, type Micros } from '#lib/money.ts';
import { createFieldRefusal } from '#lib/refusal.ts';
import { convertToUsd, price_max_micros, price_min_micros } from '../rules.ts';

/** The price of the largest offer in AUD. */
export const price_aud_max = 1_000;

/**
 * Reads the price that an organisation offers.
 *
 * @throws Refusal `field_invalid` for more than six decimals.
 */
export function readOffer(price_aud: number): Micros {
  try {
    return microsFromNumber(price_aud);
  } catch {
    throw createFieldRefusal('field_invalid', '/price_aud', 'must have at most six decimals');
  }
}

/** How long a proposal can be paid, and how many there may be. */
export const proposal_limits = {
  pending_days: 14,
  /** Recorded by one member with one organisation, in so many days. */
  of_pair: 8,
  pair_days: 30,
  of_member_a_day: 20,
  /** Waiting for one organisation. */
  of_organisation: 500,
} as const;

/** How a service can be paid, and its rate of exchange. */
type Paying = { readonly has_mock_rail: boolean; readonly aud_per_usd: Micros };

/**
 * Checks that a price that a member asks can be paid: the mock rail pays any price, others those of the specification.
 *
 * @throws Refusal `field_invalid`.
 */
export function checkPayable(price: Micros, { has_mock_rail, aud_per_usd }: Paying): void {
  const usd = convertToUsd(price, aud_per_usd);
  if (has_mock_rail || (usd >= price_min_micros && usd <= price_max_micros)) return;
  throw createFieldRefusal('field_invalid', '/price_aud', 'must be worth 0.01 to 1.00 US dollars');
}

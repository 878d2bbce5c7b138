import { microsFromNumber, type Micros } from '#lib/money.ts';
import { createFieldRefusal } from '#lib/refusal.ts';

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

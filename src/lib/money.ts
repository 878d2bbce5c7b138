/** An amount of money in millionths of a US dollar. All arithmetic with money is on these integers. */
export type Micros = bigint;

const micros_in_unit = 1_000_000;

/** The basis points of a whole: 7,500 of them are 75 %. */
export const whole_bps = 10_000;

/** A thousand million dollars. Doubles up to it are less than an eighth of a micro-unit apart, so that a JSON number carries each amount. */
export const micros_max: Micros = 1_000_000_000_000_000n;

/**
 * Converts a JSON number to micro-units: 0.05 is 50,000.
 *
 * @throws RangeError if the number is not finite, has more than six decimals, or is beyond {@link micros_max}.
 */
export function microsFromNumber(amount: number): Micros {
  const micros = Math.round(amount * micros_in_unit);
  // The quotient is the double nearest to those decimals, so that it equals the amount only if the amount has no further ones.
  if (!(Math.abs(micros) <= Number(micros_max)) || micros / micros_in_unit !== amount)
    throw new RangeError(`${amount} is not an amount with at most six decimals`);
  return BigInt(micros);
}

/**
 * Converts micro-units to a JSON number with at most six decimals. {@link microsFromNumber} returns the same micro-units for it.
 *
 * @throws RangeError if the amount is beyond {@link micros_max}.
 */
export function microsToNumber(micros: Micros): number {
  if (micros > micros_max || micros < -micros_max)
    throw new RangeError(`${micros} micro-units do not fit a JSON number`);
  return Number(micros) / micros_in_unit;
}

/**
 * Splits an amount: `part` is its share in basis points, rounded down, and `rest` is what remains, so that nothing is lost or created.
 *
 * @throws RangeError if the amount is negative, or the share is not between 0 and 10,000.
 */
export function splitByBasisPoints(
  gross: Micros,
  bps: number,
): { readonly part: Micros; readonly rest: Micros } {
  if (gross < 0n) throw new RangeError(`${gross} micro-units cannot be split`);
  if (!Number.isInteger(bps) || bps < 0 || bps > whole_bps)
    throw new RangeError(`${bps} is not a share in basis points`);
  const part = (gross * BigInt(bps)) / BigInt(whole_bps);
  return { part, rest: gross - part };
}

const moneyFormats = {
  USD: new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 }),
  AUD: new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'AUD', maximumFractionDigits: 6 }),
} as const;

/** Formats an amount for a document, as pages write it: 33,333 micro-units are `US$0.033333`. */
export function formatMoney(micros: Micros, currency: keyof typeof moneyFormats): string {
  // As a text, it is exact beyond the numbers that a double can hold.
  return moneyFormats[currency].format(formatMicros(micros) as `${number}`);
}

/** Formats an amount as a decimal with at least two and at most six decimals: 50,000 micro-units are `0.05`. */
export function formatMicros(micros: Micros): string {
  const digits = String(micros < 0n ? -micros : micros).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${decimals}`;
}

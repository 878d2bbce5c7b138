/** Crockford's base32. It has no I, L, O and U, so that ids are not misread and spell no words by accident. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The hexadecimal digits of an id that an external id shows: 40 bits are exactly eight characters. */
const shown_digits = 10;

/**
 * Formats a short form of an id that can be read aloud, such as `MBR-7K3M9QXZ`: a prefix and the first 40 bits of the UUID in Crockford
 * base32. It is a label and not a key: among a million members, two have the same one with a probability of 37 %. No look-up uses it.
 */
export function formatExternalId(prefix: 'MBR' | 'JOB', id: string): string {
  const bits = BigInt(`0x${id.replaceAll('-', '').slice(0, shown_digits)}`);
  const characters = Array.from(
    { length: 8 },
    (_, place) => alphabet[Number((bits >> BigInt(35 - 5 * place)) & 31n)],
  );
  return `${prefix}-${characters.join('')}`;
}

/** Crockford's base32. It has no I, L, O and U, so that ids are not misread and spell no words by accident. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The number of random bytes that {@link formatExternalId} needs: 40 bits are exactly eight characters. */
export const external_id_bytes = 5;

/**
 * Formats a short id that can be read aloud, such as `MBR-7K3M9QXZ`: a prefix and eight characters of Crockford base32. It is not secret.
 * If an id is already in use, the caller draws another one.
 */
export function formatExternalId(prefix: 'MBR' | 'JOB', random: Uint8Array): string {
  if (random.length !== external_id_bytes) throw new Error(`an external id needs ${external_id_bytes} bytes`);
  const bits = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const characters = Array.from(
    { length: 8 },
    (_, place) => alphabet[Number((bits >> BigInt(35 - 5 * place)) & 31n)],
  );
  return `${prefix}-${characters.join('')}`;
}

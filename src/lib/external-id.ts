/** Crockford's base32: no I, L, O and U, so that nothing is misread or spelled by accident. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** How many random bytes {@link formatExternalId} takes: 40 bits are exactly eight characters. */
export const external_id_bytes = 5;

/**
 * The short id that people read out to each other, such as `MBR-7K3M9QXZ`: a prefix and eight characters of Crockford base32.
 * It is not secret, and a taken one is drawn again.
 */
export function formatExternalId(prefix: 'MBR' | 'JOB', random: Uint8Array): string {
  if (random.length !== external_id_bytes) throw new Error(`an external id takes ${external_id_bytes} bytes`);
  const bits = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const characters = Array.from(
    { length: 8 },
    (_, place) => alphabet[Number((bits >> BigInt(35 - 5 * place)) & 31n)],
  );
  return `${prefix}-${characters.join('')}`;
}

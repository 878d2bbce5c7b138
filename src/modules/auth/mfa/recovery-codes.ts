/** Crockford's base32: no I, L, O and U, so that a code on paper is read one way. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const recovery_codes_count = 10;
/** Each byte gives one of the ten characters: 50 bits a code. */
export const recovery_code_bytes = 10;

/** A recovery code from random bytes: `7K3M9-QXZ02`. */
export function formatRecoveryCode(random: Uint8Array): string {
  const characters = Array.from(random, (byte) => alphabet[byte & 31]).join('');
  return `${characters.slice(0, 5)}-${characters.slice(5)}`;
}

/** The one spelling of a code that somebody typed: without case, hyphens and spaces, and with what looks alike read as what it is. */
export function toCanonicalRecoveryCode(typed: string): string {
  return typed.toUpperCase().replace(/[-\s]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}

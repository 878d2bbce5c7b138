/** Crockford's base32, without I, L, O and U, so that a printed code is unambiguous. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const recovery_codes_count = 10;
/** Each byte selects one of the ten characters, so that a code has 50 random bits. */
export const recovery_code_bytes = 10;

/** Formats random bytes as a recovery code, such as `7K3M9-QXZ02`. */
export function formatRecoveryCode(random: Uint8Array): string {
  const characters = Array.from(random, (byte) => alphabet[byte & 31]).join('');
  return `${characters.slice(0, 5)}-${characters.slice(5)}`;
}

/** Converts a typed code to its canonical spelling: upper case without hyphens and spaces, and with look-alike characters replaced. */
export function toCanonicalRecoveryCode(typed: string): string {
  return typed.toUpperCase().replace(/[-\s]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}

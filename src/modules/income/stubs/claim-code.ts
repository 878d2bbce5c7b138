import { randomBytes } from 'node:crypto';

/** Crockford's base32, which has no I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const code_characters = 10;
const prefix = 'TES-';

/** The form of a claim code as it is given out. */
export const claimCodePattern = `^${prefix}[0-9A-HJKMNP-TV-Z]{${code_characters}}$`;

const canonicalForm = new RegExp(claimCodePattern);

/** Generates a claim code: 50 random bits, such as `TES-7K3M9QXZ2B`. Anyone who has it can claim the stub. */
export function generateClaimCode(): string {
  // 256 is a multiple of 32, so every character is equally likely.
  const characters = Array.from(randomBytes(code_characters), (byte) => alphabet[byte % alphabet.length]);
  return prefix + characters.join('');
}

/**
 * Reads a claim code that a person may have typed: in any case, with or without hyphens and spaces, with an O for a zero and an I or an L for
 * a one, as Crockford's base32 allows.
 *
 * @returns the code as it was given out; undefined for other text.
 */
export function readClaimCode(text: string): string | undefined {
  const plain = text.toUpperCase().replace(/[\s-]/g, '');
  const characters = plain.startsWith('TES') ? plain.slice(3) : plain;
  const code = prefix + characters.replaceAll('O', '0').replace(/[IL]/g, '1');
  return canonicalForm.test(code) ? code : undefined;
}

import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import type { PublicKey } from './rules.ts';

const key_prefix = 'tsk_';
/** A short token for which a program has exchanged an assertion. */
const token_prefix = 'tst_';
const secret_bytes = 30;
const hint_characters = 4;

/** The form of a key. Scanners for leaked secrets find it by its prefix, and tell it from other text by the checksum at its end. */
const key_form = /^ts[kt]_([0-9a-f]{60})([0-9a-f]{8})$/;

/** Generates a key: `tsk_`, 240 random bits, and their CRC-32, in hexadecimal digits. */
export function generateKey(): string {
  return generateText(key_prefix);
}

/** Generates a token: `tst_`, and the rest as in a key. */
export function generateToken(): string {
  return generateText(token_prefix);
}

function generateText(prefix: string): string {
  const secret = randomBytes(secret_bytes).toString('hex');
  return `${prefix}${secret}${computeChecksum(secret)}`;
}

/** Whether a text is a key by its prefix and checksum. Nothing is looked up for one that is not. */
export function isKey(text: string): boolean {
  return text.startsWith(key_prefix) && hasChecksum(text);
}

/** Whether a text is a token by its prefix and checksum. */
export function isToken(text: string): boolean {
  return text.startsWith(token_prefix) && hasChecksum(text);
}

function hasChecksum(text: string): boolean {
  const [, secret, checksum] = key_form.exec(text) ?? [];
  return secret !== undefined && computeChecksum(secret) === checksum;
}

function computeChecksum(secret: string): string {
  return crc32(secret).toString(16).padStart(8, '0');
}

/** The last characters of a key. */
export function readHint(key: string): string {
  return key.slice(-hint_characters);
}

const scheme = /^(bearer|basic) +([^ ]+)$/i;

/**
 * Reads the key of an Authorization header: `Bearer tsk_…` or, of a token, `Bearer tst_…`, or HTTP Basic with the key as the user name and any password, as applicant
 * tracking systems send it (RFC 7617).
 *
 * @returns undefined for another kind of header.
 */
export function readKey(authorization: string): string | undefined {
  const [, kind, value = ''] = scheme.exec(authorization) ?? [];
  if (kind === undefined) return undefined;
  if (kind.toLowerCase() === 'bearer')
    return value.startsWith(key_prefix) || value.startsWith(token_prefix) ? value : undefined;
  const [name = ''] = Buffer.from(value, 'base64').toString().split(':', 1);
  return name;
}

/** The last characters of the thumbprint of a public key (RFC 7638): its required members, sorted, hashed by SHA-256. */
export function computePublicHint(key: PublicKey): string {
  return readHint(hash('sha256', writeCanonicalJson(key), 'base64url'));
}

import { isUtf8 } from 'node:buffer';
import { cacheResults } from '#lib/cache-results.ts';
import { verifyEs256Signature, type JwsHeader } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';

/**
 * The longest token that is accepted, in characters. Most have about 3,000; a badge of an achievement whose texts are as long as they can be,
 * in characters of four bytes, has 44,000.
 */
export const token_characters_max = 65_536;

/** The header of this service's tokens, which has no other fields. */
type CredentialHeader = JwsHeader & { readonly alg: 'ES256' };

/** A well-formed compact JWS (RFC 7515). Nothing in it is verified yet. */
export type ParsedJws = {
  readonly header: CredentialHeader;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly signed: string;
  readonly signature: Buffer;
};

/** Whether the signature was made with this key and its algorithm. `readJws` has already checked the algorithm in the header. */
export function isSignedBy(key: SigningKey, { signed, signature }: ParsedJws): boolean {
  return verifyEs256Signature(key, Buffer.from(signed), signature);
}

/**
 * Parses a compact JWS strictly: no white space, no padding, no second encoding of the same bytes, no algorithm other than ES256, and no
 * header with a key (jwk, jku, x5c, x5u) or an extension (crit, b64). Common libraries tolerate some of these, but a token with several
 * encodings can evade systems that compare tokens.
 *
 * @returns undefined for anything else.
 */
export function readJws(token: string): ParsedJws | undefined {
  const endOfHeader = token.indexOf('.');
  const endOfPayload = token.indexOf('.', endOfHeader + 1);
  if (endOfHeader < 1 || endOfPayload < 0) return undefined;
  const signature = decodeCanonical(token.slice(endOfPayload + 1));
  if (signature?.length !== signature_bytes) return undefined;
  const header = readHeader(token.slice(0, endOfHeader));
  const payload = decodeObject(token.slice(endOfHeader + 1, endOfPayload));
  return header && payload && { header, payload, signed: token.slice(0, endOfPayload), signature };
}

const signature_bytes = 64;

const headers_max = 100;

/** Reads a header by its encoding. Recent results are stored, because all tokens of one form and one key have the same header. */
const readHeader = cacheResults(headers_max, (text): CredentialHeader | undefined => {
  const header = decodeObject(text);
  return isHeader(header) ? header : undefined;
});

const headerNames = new Set(['alg', 'kid', 'typ', 'cty']);

function isHeader(header: Readonly<Record<string, unknown>> | undefined): header is CredentialHeader {
  if (!header || header['alg'] !== 'ES256') return false;
  if (typeof header['kid'] !== 'string' || typeof header['typ'] !== 'string') return false;
  return Object.keys(header).every((name) => headerNames.has(name));
}

/** The JSON object in a part of a token, or undefined. */
function decodeObject(part: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = decodeCanonical(part);
  if (!bytes || !isUtf8(bytes)) return undefined;
  const value = parseJson(bytes.toString());
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** The bytes of a text in base64url; undefined if the text is not their canonical encoding. */
export function decodeCanonical(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { isUtf8 } from 'node:buffer';
import { verifyEs256Signature, type JwsHeader } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';

/** The longest token that is read, in characters; ours have at most some 3,000. */
export const token_characters_max = 8_192;

/** What we put into a header, and nothing else. */
type CredentialHeader = JwsHeader & { readonly alg: 'ES256' };

/** A compact JWS (RFC 7515) that is well-formed; nothing of it is verified. */
export type ParsedJws = {
  readonly header: CredentialHeader;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly signed: string;
  readonly signature: Buffer;
};

/** Whether the signature is this key's. The algorithm is the key's own; what the header says was compared before. */
export function isSignedBy(key: SigningKey, { signed, signature }: ParsedJws): boolean {
  return verifyEs256Signature(key, Buffer.from(signed), signature);
}

/**
 * Reads a compact JWS by the letter: no white space, no padding, no second spelling of the same bytes, no algorithm but ES256, and no
 * header that brings a key (jwk, jku, x5c, x5u) or asks for more (crit, b64). Common libraries forgive some of these; a token that can be
 * respelled is a token that can slip past whoever compares tokens. @returns undefined for anything else.
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

/** The headers that were read last, by their spelling: all tokens of one form and one key share theirs. */
const knownHeaders = new Map<string, CredentialHeader>();
const headers_max = 100;

function readHeader(text: string): CredentialHeader | undefined {
  const known = knownHeaders.get(text);
  if (known) return known;
  const header = decodeObject(text);
  if (!isHeader(header)) return undefined;
  if (knownHeaders.size === headers_max) knownHeaders.clear();
  knownHeaders.set(text, header);
  return header;
}

const headerNames = new Set(['alg', 'kid', 'typ', 'cty']);

function isHeader(header: Readonly<Record<string, unknown>> | undefined): header is CredentialHeader {
  if (!header || header['alg'] !== 'ES256') return false;
  if (typeof header['kid'] !== 'string' || typeof header['typ'] !== 'string') return false;
  return Object.keys(header).every((name) => headerNames.has(name));
}

/** The JSON object behind a part in its one spelling, or undefined. */
function decodeObject(part: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = decodeCanonical(part);
  if (!bytes || !isUtf8(bytes)) return undefined;
  const value = parseJson(bytes.toString());
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** The bytes of a text in base64url, unless the text is not the one spelling of them. */
export function decodeCanonical(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** The value of a JSON text, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

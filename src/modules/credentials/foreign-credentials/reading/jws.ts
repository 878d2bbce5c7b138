import { isUtf8 } from 'node:buffer';
import { parseFields, type Fields } from './json.ts';

/** A compact JWS (RFC 7515) of any issuer. Nothing in it is verified yet. */
export type Jws = {
  readonly header: Fields;
  readonly payload: Fields;
  readonly signed: Buffer;
  readonly signature: Buffer;
};

/** Parses a compact JWS: three parts in canonical base64url, of which the first two are JSON objects. @returns undefined for anything else. */
export function readJws(token: string): Jws | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  const [header, payload] = parts.slice(0, 2).map(decodeFields);
  const signature = decodeCanonical(parts[2] ?? '');
  if (!header || !payload || !signature || signature.length === 0) return undefined;
  return { header, payload, signed: Buffer.from(token.slice(0, token.lastIndexOf('.'))), signature };
}

function decodeFields(part: string): Fields | undefined {
  const bytes = decodeCanonical(part);
  return bytes && isUtf8(bytes) ? parseFields(bytes.toString()) : undefined;
}

/** The bytes of a text in base64url; undefined if the text is not their canonical encoding. */
export function decodeCanonical(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

import { ECDH, type JsonWebKey } from 'node:crypto';
import { decode, encode } from 'base58-universal';

/** The curves of keys that a multibase text can name: the multicodec prefix, as a variable-length integer, and the length of a compressed point. */
const curves = [
  { prefix: [0x80, 0x24], crv: 'P-256', named: 'prime256v1', bytes: 33 },
  { prefix: [0x81, 0x24], crv: 'P-384', named: 'secp384r1', bytes: 49 },
] as const;

const ed25519_prefix = [0xed, 0x01];

/**
 * Reads a public key on P-256, P-384 or Ed25519 from its multibase text (Controlled Identifiers 1.0, section 2.2.2), as did:key has it too.
 *
 * @returns undefined for anything else, including a point that is not on its curve.
 */
export function readMultikey(text: string): JsonWebKey | undefined {
  const bytes = text.startsWith('z') ? decodeBase58(text.slice(1)) : undefined;
  if (!bytes) return undefined;
  const hasPrefix = (prefix: readonly number[]) => bytes.subarray(0, 2).equals(Buffer.from(prefix));
  const key = bytes.subarray(2);
  if (hasPrefix(ed25519_prefix) && key.length === 32)
    return { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
  const curve = curves.find(({ prefix, bytes: length }) => hasPrefix(prefix) && key.length === length);
  const point = curve && uncompressPoint(key, curve.named);
  if (!curve || !point) return undefined;
  const middle = curve.bytes;
  const [x, y] = [point.subarray(1, middle), point.subarray(middle)].map((each) =>
    each.toString('base64url'),
  );
  return { kty: 'EC', crv: curve.crv, x: x!, y: y! };
}

function uncompressPoint(key: Buffer, curve: string): Buffer | undefined {
  try {
    // Without an output encoding the result is a Buffer, which its type does not say.
    return ECDH.convertKey(key, curve, undefined, undefined, 'uncompressed') as Buffer;
  } catch {
    return undefined;
  }
}

/** A P-384 signature has 132 characters at most. Decoding base58 needs a limit, because its time grows with the square of the length. */
const base58_characters_max = 140;

/** Decodes base58btc (draft-msporny-base58). The package ignores white space, so text that is not the canonical encoding is rejected here. */
export function decodeBase58(text: string): Buffer | undefined {
  if (text.length === 0 || text.length > base58_characters_max) return undefined;
  const bytes = decode(text);
  return bytes && encode(bytes) === text ? Buffer.from(bytes) : undefined;
}

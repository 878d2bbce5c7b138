import { hash, randomBytes } from 'node:crypto';
import { decodeCanonical, parseJson } from './jws.ts';

/** 128 bits, as RFC 9901 section 9.3 recommends, so that an undisclosed claim cannot be guessed. */
const salt_bytes = 16;
const disclosures_max = 32;

/** Selectively disclosable claims: the digests for the signed payload and the disclosures that are appended to it. */
export type Disclosures = { readonly _sd: readonly string[]; readonly disclosures: readonly string[] };

/**
 * Makes claims of the top level selectively disclosable (SD-JWT, RFC 9901 section 4.2). The digests are sorted, so that their order
 * reveals nothing.
 */
export function buildDisclosures(claims: Readonly<Record<string, unknown>>): Disclosures {
  const disclosures = Object.entries(claims).map(([name, value]) =>
    Buffer.from(JSON.stringify([randomBytes(salt_bytes).toString('base64url'), name, value])).toString(
      'base64url',
    ),
  );
  return { _sd: disclosures.map(hashDisclosure).toSorted(), disclosures };
}

/** Joins the signed part and the disclosures into the token that a holder receives. */
export function joinSdJwt(jws: string, disclosures: readonly string[]): string {
  return `${[jws, ...disclosures].join('~')}~`;
}

/** The parts of an SD-JWT without key binding; undefined for any other token. */
export function splitSdJwt(
  token: string,
): { readonly jws: string; readonly disclosures: readonly string[] } | undefined {
  const [jws = '', ...rest] = token.split('~');
  // Text after the last tilde would be a key binding JWT, which is meant for another audience.
  if (rest.pop() !== '' || rest.length > disclosures_max) return undefined;
  return { jws, disclosures: rest };
}

/**
 * The payload with the disclosed claims (RFC 9901 section 7.1). Each disclosure must appear once, match a digest and not repeat a claim
 * of the signed payload.
 *
 * @returns undefined if a disclosure breaks these rules.
 */
export function applyDisclosures(
  { _sd, _sd_alg, ...payload }: Readonly<Record<string, unknown>>,
  disclosures: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  if (_sd_alg !== 'sha-256' || !Array.isArray(_sd)) return undefined;
  if (new Set(disclosures).size !== disclosures.length) return undefined;
  const disclosed: Record<string, unknown> = { ...payload };
  for (const disclosure of disclosures) {
    const claim = readClaim(disclosure);
    if (!claim || !_sd.includes(hashDisclosure(disclosure)) || Object.hasOwn(disclosed, claim.name))
      return undefined;
    disclosed[claim.name] = claim.value;
  }
  return disclosed;
}

function readClaim(disclosure: string): { readonly name: string; readonly value: unknown } | undefined {
  const parts = parseJson(decodeCanonical(disclosure)?.toString() ?? '');
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [, name, value] = parts as readonly unknown[];
  if (typeof name !== 'string' || ['_sd', '...', '__proto__'].includes(name)) return undefined;
  return { name, value };
}

function hashDisclosure(disclosure: string): string {
  return hash('sha256', disclosure, 'base64url');
}

import { hash, randomBytes } from 'node:crypto';
import { decodeCanonical, parseJson } from './jws.ts';

/** 128 bits, as the specification recommends: nobody can guess what an undisclosed claim says (RFC 9901 section 9.3). */
const salt_bytes = 16;
const disclosures_max = 32;

/** Claims made disclosable one by one: their digests for the signed payload, and the disclosures that go with it. */
export type Disclosures = { readonly _sd: readonly string[]; readonly disclosures: readonly string[] };

/**
 * Makes claims of the top level selectively disclosable (SD-JWT, RFC 9901 section 4.2). The digests are sorted, so that their order says
 * nothing.
 */
export function buildDisclosures(claims: Readonly<Record<string, unknown>>): Disclosures {
  const disclosures = Object.entries(claims).map(([name, value]) =>
    Buffer.from(JSON.stringify([randomBytes(salt_bytes).toString('base64url'), name, value])).toString(
      'base64url',
    ),
  );
  return { _sd: disclosures.map(hashDisclosure).toSorted(), disclosures };
}

/** Joins the signed part and the disclosures, as an issuer hands them to a holder. */
export function joinSdJwt(jws: string, disclosures: readonly string[]): string {
  return `${[jws, ...disclosures].join('~')}~`;
}

/** The parts of an SD-JWT without key binding, or undefined where it is none. */
export function splitSdJwt(
  token: string,
): { readonly jws: string; readonly disclosures: readonly string[] } | undefined {
  const [jws, ...rest] = token.split('~');
  // What follows the last tilde would be a key binding JWT, which is bound to another audience than us.
  if (rest.pop() !== '' || rest.length > disclosures_max) return undefined;
  return { jws: jws!, disclosures: rest };
}

/**
 * The payload with the disclosed claims in their places (RFC 9901 section 7.1): every disclosure must belong to a digest of its own, and
 * none may say what the signed payload says already. @returns undefined where one does not.
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
  const read = parseJson(decodeCanonical(disclosure)?.toString() ?? '');
  if (!Array.isArray(read) || read.length !== 3 || typeof read[1] !== 'string') return undefined;
  const [, name, value] = read as [unknown, string, unknown];
  return ['_sd', '...', '__proto__'].includes(name) ? undefined : { name, value };
}

function hashDisclosure(disclosure: string): string {
  return hash('sha256', disclosure, 'base64url');
}

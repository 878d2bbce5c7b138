import { hash } from 'node:crypto';
import { isFields, isModest, type Fields } from './json.ts';
import { decodeCanonical } from './jws.ts';

/** More parts than a credential discloses. */
const disclosures_max = 100;
const digest_algorithm = 'sha-256';
/** Names with a meaning of their own, which no disclosure may have. */
const reserved = new Set(['_sd', '...', '__proto__']);

/** The parts of an SD-JWT. A proof of the holder at its end is left out, because it is meant for another audience. */
export function splitSdJwt(
  token: string,
): { readonly jws: string; readonly disclosures: readonly string[] } | undefined {
  const [jws = '', ...rest] = token.split('~');
  rest.pop();
  return rest.length > disclosures_max ? undefined : { jws, disclosures: rest };
}

type Disclosure = { readonly name: string | undefined; readonly value: unknown };

/**
 * The payload of an SD-JWT with what is disclosed, at any level (RFC 9901 section 7.1). Each disclosure must match one digest in it, and repeat no name.
 *
 * @returns undefined if a disclosure breaks these rules.
 */
export function applyDisclosures(payload: Fields, texts: readonly string[]): Fields | undefined {
  const { _sd_alg: algorithm = digest_algorithm, ...signed } = payload;
  if (algorithm !== digest_algorithm) return undefined;
  const disclosed = new Map<string, Disclosure>();
  for (const text of texts) {
    const disclosure = readDisclosure(text);
    const digest = hash('sha256', text, 'base64url');
    if (!disclosure || disclosed.has(digest)) return undefined;
    disclosed.set(digest, disclosure);
  }
  try {
    const fields = discloseFields(signed, disclosed);
    return disclosed.size === 0 && isModest(fields) ? fields : undefined;
  } catch (error) {
    if (error instanceof BrokenDisclosureError) return undefined;
    throw error;
  }
}

function readDisclosure(text: string): Disclosure | undefined {
  const bytes = decodeCanonical(text);
  let parts: unknown;
  try {
    parts = JSON.parse(bytes?.toString() ?? '');
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || !isModest(parts)) return undefined;
  const [, second, third] = parts as readonly unknown[];
  if (parts.length === 2) return { name: undefined, value: second };
  if (parts.length !== 3 || typeof second !== 'string' || reserved.has(second)) return undefined;
  return { name: second, value: third };
}

class BrokenDisclosureError extends Error {}

type Disclosed = Map<string, Disclosure>;

/** Each disclosure is taken out of the map when its digest is met, so none is used twice and no digest can lead in a circle. */
function takeDisclosure(disclosed: Disclosed, digest: unknown): Disclosure | undefined {
  const found = typeof digest === 'string' ? disclosed.get(digest) : undefined;
  if (found) disclosed.delete(String(digest));
  return found;
}

function discloseValue(value: unknown, disclosed: Disclosed): unknown {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => discloseElement(each, disclosed));
  return isFields(value) ? discloseFields(value, disclosed) : value;
}

function discloseElement(value: unknown, disclosed: Disclosed): readonly unknown[] {
  if (!isFields(value) || !('...' in value)) return [discloseValue(value, disclosed)];
  const found = takeDisclosure(disclosed, value['...']);
  if (!found) return [];
  if (found.name !== undefined) throw new BrokenDisclosureError('a claim stands for an element');
  return [discloseValue(found.value, disclosed)];
}

function discloseFields({ _sd: digests = [], ...open }: Fields, disclosed: Disclosed): Fields {
  if (!Array.isArray(digests)) throw new BrokenDisclosureError('the digests must be a list');
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(open).map(([name, value]) => [name, discloseValue(value, disclosed)]),
  );
  for (const digest of digests) {
    const found = takeDisclosure(disclosed, digest);
    if (!found) continue;
    if (found.name === undefined || Object.hasOwn(fields, found.name))
      throw new BrokenDisclosureError('a claim has no name, or one that is taken');
    fields[found.name] = discloseValue(found.value, disclosed);
  }
  return fields;
}

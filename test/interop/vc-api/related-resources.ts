import { createHash } from 'node:crypto';
import { decode } from 'base58-universal';
import { buildIssuer } from '#modules/credentials/credentials';
import { buildCredentialContext } from '../../../src/modules/credentials/credentials/signing/vocabulary.ts';
import type { Platform } from '#platform/platform.ts';
import { toList, v2_context } from './data-model.ts';
import { isFields, VcApiError, type Fields } from './vc-api-error.ts';

type HashName = 'sha256' | 'sha384' | 'sha512';

/** One digest of a resource. */
type Digest = { readonly hash: HashName; readonly bytes: Buffer };

/** A resource whose content is known here, as a function that hashes it. */
type KnownResource = (hash: HashName) => Buffer;

/**
 * Compares the digests of related resources with those of the resources that are known here (Data Model 2.0, section 5.3). Nothing is fetched.
 *
 * @returns a warning for each resource that is not known.
 * @throws VcApiError if a digest is wrong or cannot be read.
 */
export function checkRelatedResources(platform: Platform, { relatedResource }: Fields): readonly string[] {
  const warnings: string[] = [];
  for (const resource of toList(relatedResource).filter(isFields)) {
    const id = String(resource['id']);
    const known = findKnownResource(platform, id);
    const digests = readDigests(resource);
    if (!known)
      warnings.push(`the digest of ${id.slice(0, 200)} was not checked, because it is not known here`);
    else if (!digests.every((group) => group.some(({ hash, bytes }) => known(hash).equals(bytes))))
      throw new VcApiError(`the digest of ${id} does not match`);
  }
  return warnings;
}

/** The digests of the context of version 2 as it is served. Only its SHA-256 is in the standard (Data Model 2.0, appendix B.1). */
const v2_context_digests: Readonly<Record<HashName, Buffer>> = {
  sha256: Buffer.from('WZVc7WaX1h4D8rJVb+vlMIqxaEKEb1tYbX8fet7JJzQ=', 'base64'),
  sha384: Buffer.from('l/HrjlBCNWyAX91hr6LFV2Y3heB5Tcr6IeE4/Tje8YyzYBM8IhqjHWiWpr8+ZbYU', 'base64'),
  sha512: Buffer.from(
    'XVVFK9Lc+KKfWikEc+skKxxft31OaPGgqoe6pNuiaUhS1l7GPUisBKmdlW+fcVO5QG+E0tBMdIabAsI5odgTBQ==',
    'base64',
  ),
};

function findKnownResource({ config }: Platform, id: string): KnownResource | undefined {
  if (id === v2_context) return (hash) => v2_context_digests[hash];
  const issuer = buildIssuer(config.publicUrl);
  if (id !== issuer.context) return undefined;
  return (hash) =>
    createHash(hash)
      .update(JSON.stringify(buildCredentialContext(issuer)))
      .digest();
}

/** Groups of digests. Of each group one has to match. */
function readDigests({ digestSRI, digestMultibase }: Fields): readonly (readonly Digest[])[] {
  return [
    ...(digestSRI === undefined ? [] : [readIntegrity(digestSRI)]),
    ...(digestMultibase === undefined ? [] : [[readMultihash(digestMultibase)]]),
  ];
}

const integrity_characters_max = 2_000;
const integrityPart = /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]{43,86}={0,2})(\?[\x21-\x7e]*)?$/;

/** Subresource Integrity, section 3.3: of several digests, only those of the strongest algorithm count. */
function readIntegrity(value: unknown): readonly Digest[] {
  const text = typeof value === 'string' && value.length <= integrity_characters_max ? value.trim() : '';
  const digests = text
    .split(/[ \t\n\f\r]/)
    .filter((part) => part !== '')
    .map(readIntegrityPart);
  const strongest = digests
    .map(({ hash }) => hash)
    .toSorted()
    .at(-1);
  if (strongest === undefined) throw new VcApiError('digestSRI must contain a digest');
  return digests.filter(({ hash }) => hash === strongest);
}

function readIntegrityPart(part: string): Digest {
  const [, hash, digest] = integrityPart.exec(part) ?? [];
  const bytes = Buffer.from(digest ?? '', 'base64');
  const found = hashNames.find((each) => each === hash);
  if (!found || bytes.length !== digest_bytes[found])
    throw new VcApiError('digestSRI must contain sha256, sha384 or sha512 digests in base64');
  return { hash: found, bytes };
}

const hashNames: readonly HashName[] = ['sha256', 'sha384', 'sha512'];
const digest_bytes: Readonly<Record<HashName, number>> = { sha256: 32, sha384: 48, sha512: 64 };

/** The codes of the hash functions (Multihash). Each fits one byte, and so does the length that follows. */
const hashCodes: ReadonlyMap<number, HashName> = new Map([
  [0x12, 'sha256'],
  [0x20, 'sha384'],
  [0x13, 'sha512'],
]);

const multibase_characters_max = 100;

/**
 * A Multihash in base64url (`u`) or base58btc (`z`) (Controlled Identifiers 1.0, sections 2.4 and 2.5). The test suite of the W3C has a bare
 * SHA-256 instead, whose length no Multihash that we read has.
 */
function readMultihash(value: unknown): Digest {
  const bytes = decodeMultibase(value);
  if (bytes?.length === digest_bytes.sha256) return { hash: 'sha256', bytes };
  const [code, length] = bytes ?? [];
  const hash = code === undefined ? undefined : hashCodes.get(code);
  if (!bytes || !hash || length !== digest_bytes[hash] || bytes.length !== length + 2)
    throw new VcApiError(
      'digestMultibase must be a multihash of sha2-256, sha2-384 or sha2-512 with the prefix u or z',
    );
  return { hash, bytes: bytes.subarray(2) };
}

function decodeMultibase(value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || value.length > multibase_characters_max) return undefined;
  const encoded = value.slice(1);
  if (value.startsWith('u')) return Buffer.from(encoded, 'base64url');
  const bytes = value.startsWith('z') ? decode(encoded) : undefined;
  return bytes && Buffer.from(bytes);
}

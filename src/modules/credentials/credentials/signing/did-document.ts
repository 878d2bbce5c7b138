import type { JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { listCredentialKeys } from '#platform/security/published-keys.ts';
import { computeCompanionMultibase } from './companion-key.ts';
import { buildIssuer, buildMethodId, type Issuer } from './issuer.ts';

type VerificationMethod = {
  readonly id: string;
  readonly controller: string;
} & (
  | { readonly type: 'JsonWebKey2020'; readonly publicKeyJwk: JWK }
  | { readonly type: 'Multikey'; readonly publicKeyMultibase: string }
);

/**
 * The issuer's DID document (DID Core; did:web). It lists each key twice, once for each family of verifiers, and its companion. The older JsonWebKey2020 is what
 * resolvers know; none that was tried knows JsonWebKey of Controlled Identifiers 1.0.
 */
export type DidDocument = {
  readonly '@context': readonly string[];
  readonly id: string;
  readonly verificationMethod: readonly VerificationMethod[];
  readonly assertionMethod: readonly string[];
};

/** The id of the verification method under which Data Integrity verifiers find a key. */
export function buildMultikeyId(issuer: Issuer, kid: string): string {
  return `${buildMethodId(issuer, kid)}-multikey`;
}

/** The id of the verification method of a key's Ed25519 companion. */
export function buildCompanionId(issuer: Issuer, kid: string): string {
  return `${buildMethodId(issuer, kid)}-ed25519`;
}

const getMultibases = instanceMemory(() => new LRUCache<string, Promise<string>>({ max: 1_000 }));

type DidServices = Pick<Services, 'config' | 'keys' | 'memory'>;

/** The current DID document with all keys that sign or signed credentials, except revoked ones. */
export async function buildDidDocument(services: DidServices): Promise<DidDocument> {
  const issuer = buildIssuer(services.config.publicUrl);
  const pairs = await Promise.all(
    listCredentialKeys(services).map((jwk) => buildMethods(services, issuer, jwk)),
  );
  const verificationMethod = pairs.flat();
  return {
    '@context': [
      'https://www.w3.org/ns/did/v1',
      'https://w3id.org/security/suites/jws-2020/v1',
      'https://w3id.org/security/multikey/v1',
    ],
    id: issuer.did,
    verificationMethod,
    assertionMethod: verificationMethod.map(({ id }) => id),
  };
}

async function buildMethods(
  services: DidServices,
  issuer: Issuer,
  jwk: JWK,
): Promise<readonly VerificationMethod[]> {
  const kid = jwk.kid!;
  const controller = issuer.did;
  return [
    { id: buildMethodId(issuer, kid), type: 'JsonWebKey2020', controller, publicKeyJwk: jwk },
    {
      id: buildMultikeyId(issuer, kid),
      type: 'Multikey',
      controller,
      publicKeyMultibase: await encodeMultibase(services, kid, jwk),
    },
    {
      id: buildCompanionId(issuer, kid),
      type: 'Multikey',
      controller,
      publicKeyMultibase: computeCompanionMultibase(services.keys.findInMemory('credential', kid)!),
    },
  ];
}

/** Encodes each key once, because a key never changes. */
function encodeMultibase(services: DidServices, kid: string, jwk: JWK): Promise<string> {
  const multibases = getMultibases(services);
  const known = multibases.get(kid);
  if (known) return known;
  const multibase = import('@digitalbazaar/ecdsa-multikey').then(async ({ fromJwk }) => {
    const { kty, crv, x, y } = jwk;
    const key = await fromJwk({ jwk: { kty, crv, x, y } });
    return (await key.export({ publicKey: true })).publicKeyMultibase;
  });
  multibases.set(kid, multibase);
  multibase.catch(() => multibases.delete(kid));
  return multibase;
}

import type { JWK } from 'jose';
import type { Services } from '#platform/platform.ts';
import { listCredentialKeys } from '#platform/security/published-keys.ts';
import { buildIssuer, buildMethodId, type Issuer } from '../signing/issuer.ts';

type VerificationMethod = {
  readonly id: string;
  readonly controller: string;
} & (
  | { readonly type: 'JsonWebKey'; readonly publicKeyJwk: JWK }
  | { readonly type: 'Multikey'; readonly publicKeyMultibase: string }
);

/** The issuer's DID document (DID Core; did:web). It lists each key twice, once for each family of verifiers. */
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

const multibases = new Map<string, Promise<string>>();

/** The current DID document with all keys that sign or signed credentials, except revoked ones. */
export async function buildDidDocument({
  config,
  keys,
}: Pick<Services, 'config' | 'keys'>): Promise<DidDocument> {
  const issuer = buildIssuer(config.publicUrl);
  const pairs = await Promise.all(listCredentialKeys({ keys }).map((jwk) => buildMethods(issuer, jwk)));
  const verificationMethod = pairs.flat();
  return {
    '@context': [
      'https://www.w3.org/ns/did/v1',
      'https://w3id.org/security/jwk/v1',
      'https://w3id.org/security/multikey/v1',
    ],
    id: issuer.did,
    verificationMethod,
    assertionMethod: verificationMethod.map(({ id }) => id),
  };
}

async function buildMethods(issuer: Issuer, jwk: JWK): Promise<readonly VerificationMethod[]> {
  const kid = jwk.kid!;
  const controller = issuer.did;
  return [
    { id: buildMethodId(issuer, kid), type: 'JsonWebKey', controller, publicKeyJwk: jwk },
    {
      id: buildMultikeyId(issuer, kid),
      type: 'Multikey',
      controller,
      publicKeyMultibase: await encodeMultibase(kid, jwk),
    },
  ];
}

/** Encodes each key once, because a key never changes. */
function encodeMultibase(kid: string, jwk: JWK): Promise<string> {
  const known = multibases.get(kid);
  if (known) return known;
  const multibase = import('@digitalbazaar/ecdsa-multikey').then(async ({ fromJwk }) => {
    const { kty, crv, x, y } = jwk;
    const key = await fromJwk({ jwk: { kty, crv, x, y } });
    return (await key.export({ publicKey: true })).publicKeyMultibase;
  });
  multibases.set(kid, multibase);
  return multibase;
}

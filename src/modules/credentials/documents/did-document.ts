import type { JWK } from 'jose';
import type { Services } from '#platform/platform.ts';
import { buildIssuer, buildMethodId, type Issuer } from '../signing/issuer.ts';

type VerificationMethod = {
  readonly id: string;
  readonly controller: string;
} & (
  | { readonly type: 'JsonWebKey'; readonly publicKeyJwk: JWK }
  | { readonly type: 'Multikey'; readonly publicKeyMultibase: string }
);

/** The issuer's DID document (DID Core; did:web). Every key is in it twice, in the form that each family of verifiers reads. */
export type DidDocument = {
  readonly '@context': readonly string[];
  readonly id: string;
  readonly verificationMethod: readonly VerificationMethod[];
  readonly assertionMethod: readonly string[];
};

/** The verification method under which Data Integrity verifiers find a key. */
export function buildMultikeyId(issuer: Issuer, kid: string): string {
  return `${buildMethodId(issuer, kid)}-multikey`;
}

const multibases = new Map<string, Promise<string>>();

/** The DID document of now: all ES256 keys, retired ones too, so that what they signed verifies. */
export async function buildDidDocument({
  config,
  keys,
}: Pick<Services, 'config' | 'keys'>): Promise<DidDocument> {
  const issuer = buildIssuer(config.publicUrl);
  const known = keys.buildJwks().keys.filter(({ alg }) => alg === 'ES256');
  const pairs = await Promise.all(known.map((jwk) => buildMethods(issuer, jwk)));
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

/** A key never changes, so it is written once. */
function encodeMultibase(kid: string, jwk: JWK): Promise<string> {
  const known = multibases.get(kid);
  if (known) return known;
  const made = import('@digitalbazaar/ecdsa-multikey').then(async ({ fromJwk }) => {
    const { kty, crv, x, y } = jwk;
    const key = await fromJwk({ jwk: { kty, crv, x, y } });
    return (await key.export({ publicKey: true })).publicKeyMultibase;
  });
  multibases.set(kid, made);
  return made;
}

import { Refusal } from '#lib/refusal.ts';
import type { OriginHandler, OriginReply } from '#platform/http/origin-routes.ts';
import { listAccessTokenKeys, listCredentialKeys } from '#platform/security/published-keys.ts';
import { allowedTiers, claimNames, credentialTypes, type ClaimName, type CredentialType } from '../rules.ts';
import {
  buildIssuer,
  buildVctUrl,
  claimMeanings,
  termMeanings,
  vcTypes,
  type Issuer,
} from '../signing/issuer.ts';
import { buildDidDocument } from '../signing/did-document.ts';
import { buildAddedContext, buildCredentialContext, buildVocabulary } from '../signing/vocabulary.ts';

/** Verifiers find a rotated key within this time, in seconds. */
const keys_s = 60;
/** Documents that change with a release only. */
const fixed_s = 86_400;

/** The DID document of the issuer, with its public keys. */
export const serveDidDocument: OriginHandler = async (platform) =>
  buildReply('application/did+json', keys_s, await buildDidDocument(platform));

/** All public keys (RFC 7517): those of credentials and those of access tokens. */
export const serveJwks: OriginHandler = (platform) =>
  buildReply('application/jwk-set+json', keys_s, {
    keys: [...listCredentialKeys(platform), ...listAccessTokenKeys(platform)],
  });

/** SD-JWT VC, section "JWT VC Issuer Metadata". */
export const serveIssuerMetadata: OriginHandler = ({ config }) => {
  const { url } = buildIssuer(config.publicUrl);
  const jwks_uri = `${url}/api/v1/credentials/.well-known/service-keys.json`;
  return buildReply('application/json', keys_s, { issuer: url, jwks_uri });
};

/** The JSON-LD context of our credentials. */
export const serveCredentialContext: OriginHandler = ({ config }) =>
  buildReply('application/ld+json', fixed_s, buildCredentialContext(buildIssuer(config.publicUrl)));

/** The JSON-LD context of the terms that were added later. */
export const serveAddedContext: OriginHandler = ({ config }) =>
  buildReply('application/ld+json', fixed_s, buildAddedContext(buildIssuer(config.publicUrl)));

/** The meaning of the terms in our credentials. */
export const serveVocabulary: OriginHandler = ({ config }) =>
  buildReply('application/ld+json', fixed_s, buildVocabulary(buildIssuer(config.publicUrl)));

/** SD-JWT VC, section "Type Metadata": the document behind each `vct`. */
export const serveTypeMetadata: OriginHandler = ({ config }, { params }) => {
  const type = credentialTypes.find((each) => each === params['credential_type']);
  if (!type) throw new Refusal('route_not_found');
  return buildReply('application/json', fixed_s, buildTypeMetadata(buildIssuer(config.publicUrl), type));
};

function buildReply(media_type: string, max_age_s: number, content: object): OriginReply {
  return {
    headers: { 'content-type': media_type, 'cache-control': `public, max-age=${max_age_s}` },
    content,
  };
}

const organisationClaims: ReadonlySet<ClaimName> = new Set(['organisation_name', 'organisation_domain']);

/** The organisation that vouches for a credential is always visible; where the service may vouch instead, its claims can be hidden. */
function selectDisclosure(type: CredentialType, name: ClaimName): 'always' | 'allowed' | 'never' {
  if (!organisationClaims.has(name) || !allowedTiers[type].includes('org_validated')) return 'always';
  return allowedTiers[type].length === 1 ? 'never' : 'allowed';
}

function buildTypeMetadata(issuer: Issuer, type: CredentialType): object {
  return {
    vct: buildVctUrl(issuer, type),
    name: vcTypes[type],
    description: termMeanings[vcTypes[type]],
    claims: [
      { path: ['sub'], sd: 'always' },
      { path: ['attestation_tier'], sd: 'never' },
      ...claimNames[type].map((name) => ({
        path: [name],
        sd: selectDisclosure(type, name),
        display: [{ lang: 'en', label: name, description: claimMeanings[name] }],
      })),
    ],
  };
}

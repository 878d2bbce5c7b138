import type { FastifyInstance } from 'fastify';
import { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { buildDidDocument } from './did-document.ts';
import { buildIssuer, termMeanings, buildVctUrl, vcTypes, type Issuer } from '../signing/issuer.ts';
import { claimNames, credentialTypes, type CredentialType } from '../rules.ts';
import { buildCredentialContext, buildVocabulary } from './vocabulary.ts';

/**
 * Adds what verifiers look up at the origin: the public keys, those of access tokens with RS256 too, the DID document, the metadata of the SD-JWT VC issuer, our JSON-LD context and vocabulary,
 * and the type metadata behind each `vct`.
 */
export function addCredentialDocuments(server: FastifyInstance, platform: Platform): void {
  const issuer = buildIssuer(platform.config.publicUrl);
  const serve = (at: string, type: string, max_age_s: number, make: () => object | Promise<object>) =>
    server.get(at, async (_request, reply) =>
      reply
        .headers({ 'content-type': type, 'cache-control': `public, max-age=${max_age_s}` })
        // As bytes: to a text the framework adds a charset, which JSON has none of (RFC 8259 section 11).
        .send(Buffer.from(JSON.stringify(await make()))),
    );
  serve('/.well-known/did.json', 'application/did+json', keys_s, () => buildDidDocument(platform));
  serve('/.well-known/jwks.json', 'application/jwk-set+json', keys_s, () => platform.keys.buildJwks());
  serve('/.well-known/jwt-vc-issuer', 'application/json', keys_s, () => buildIssuerMetadata(issuer));
  serve('/contexts/credentials/v1', 'application/ld+json', fixed_s, () => buildCredentialContext(issuer));
  serve('/vocabulary', 'application/ld+json', fixed_s, () => buildVocabulary(issuer));
  for (const type of credentialTypes)
    serve(`/vct/${type}`, 'application/json', fixed_s, () => buildTypeMetadata(issuer, type));
  server.get('/vct/*', () => {
    throw new Refusal('route_not_found');
  });
}

/** A rotated key is found by its verifiers within this time. */
const keys_s = 60;
const fixed_s = 86_400;

/** SD-JWT VC, section "JWT VC Issuer Metadata". */
function buildIssuerMetadata({ url }: Issuer): object {
  return { issuer: url, jwks_uri: `${url}/api/v1/credentials/.well-known/service-keys.json` };
}

/** SD-JWT VC, section "Type Metadata". */
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
        sd: 'always',
        display: [{ lang: 'en', label: name, description: termMeanings[name] }],
      })),
    ],
  };
}

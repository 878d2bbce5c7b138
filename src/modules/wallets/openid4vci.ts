import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isNestedDeeperThan } from '#lib/json-depth.ts';
import { Refusal } from '#lib/refusal.ts';
import { findCredential } from '#modules/credentials';
import { readForm } from '#platform/http/form.ts';
import type { Platform } from '#platform/platform.ts';
import { buildIssuerMetadata, paths, buildServerMetadata } from './configurations.ts';
import { deliverCredential } from './deliver-credential.ts';
import { ProtocolError } from './protocol-error.ts';
import { deriveCode, hashSecret, createNonce } from './secrets.ts';
import { findOfferByHandle } from './store.ts';
import { tradeCode } from './trade-code.ts';
import { toOfferWire } from './wire.ts';

const body_bytes_max = 32 * 1024;
const body_depth_max = 16;
const metadata_seconds = 300;

/**
 * Adds what wallets call (OpenID for Verifiable Credential Issuance 1.0): the two metadata documents, the offers, and the token, nonce and
 * credential endpoints. They stand apart from the API, because their bodies, errors and tokens are the protocol's and not ours.
 */
export function addWalletIssuance(server: FastifyInstance, platform: Platform): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: body_bytes_max },
      (_request, bytes, done) => done(null, bytes),
    );
    scope.setErrorHandler((error, _request, reply) => sendError(error, reply));
    addMetadata(scope, platform);
    addOffers(scope, platform);
    addEndpoints(scope, platform);
  });
}

function addMetadata(scope: FastifyInstance, { config: { publicUrl } }: Platform): void {
  const serve = (at: string, document: object) =>
    scope.get(at, (_request, reply) =>
      reply
        .headers({
          'content-type': 'application/json',
          'cache-control': `public, max-age=${metadata_seconds}`,
        })
        .send(JSON.stringify(document)),
    );
  serve('/.well-known/openid-credential-issuer', buildIssuerMetadata(publicUrl));
  // RFC 8414 section 3.1: the well-known part stands between the host and the path of the server's name.
  serve(`/.well-known/oauth-authorization-server${paths.prefix}`, buildServerMetadata(publicUrl));
}

const limited = { config: { limited: true } } as const;

function addOffers(scope: FastifyInstance, platform: Platform): void {
  scope.get<{ Params: { handle: string } }>(`${paths.offers}/:handle`, limited, async ({ params }) => {
    const now = platform.now();
    const offer = await findOfferByHandle(platform.database, hashSecret(params.handle));
    const open = offer && offer.expires_at > now && !offer.token_expires_at;
    const credential = open && (await findCredential(platform.database, offer.credential_id));
    if (!credential)
      throw new ProtocolError('invalid_request', 'There is no such offer, or it is used up or expired.', 404);
    return toOfferWire(
      platform.config.publicUrl,
      credential.credential_type,
      deriveCode(platform, params.handle),
    );
  });
}

function addEndpoints(scope: FastifyInstance, platform: Platform): void {
  scope.post(paths.token, limited, (request) => tradeCode(platform, readFormBody(request)));
  scope.post(paths.nonce, limited, () => ({ c_nonce: createNonce(platform, platform.now()) }));
  scope.post(paths.credential, limited, (request) =>
    deliverCredential(platform, readBearerToken(request), readJsonBody(request)),
  );
}

function readFormBody(request: FastifyRequest): Readonly<Record<string, string>> {
  const form = hasContentType(request, 'application/x-www-form-urlencoded')
    ? readForm(readBodyBytes(request))
    : undefined;
  if (form === undefined || form instanceof Refusal)
    throw new ProtocolError('invalid_request', form?.message ?? 'The body must be a form.');
  return form;
}

/** The JSON of the body; undefined where it is none. */
function readJsonBody(request: FastifyRequest): unknown {
  const bytes = readBodyBytes(request);
  const text = isUtf8(bytes) ? bytes.toString() : '';
  if (!hasContentType(request, 'application/json') || isNestedDeeperThan(body_depth_max, text))
    return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasContentType({ headers }: FastifyRequest, type: string): boolean {
  return headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === type;
}

function readBodyBytes({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function readBearerToken({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(authorization)?.[1];
}

/** What the protocol has no word for, such as a limit or a defect, is answered as everywhere. */
function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  const known = error instanceof ProtocolError ? error : toProtocolError(error);
  if (!known) throw error;
  if (known.status === 401) reply.header('www-authenticate', 'Bearer realm="tessera", error="invalid_token"');
  return reply.code(known.status).send({ error: known.error, error_description: known.message });
}

function toProtocolError(error: unknown): ProtocolError | undefined {
  return (error as { readonly code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? new ProtocolError('invalid_request', 'The body is larger than 32 KiB.', 413)
    : undefined;
}

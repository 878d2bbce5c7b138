import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { nestsDeeperThan } from '#lib/json-depth.ts';
import { Refusal } from '#lib/refusal.ts';
import { findCredential } from '#modules/credentials';
import { readForm } from '#platform/http/form.ts';
import type { Platform } from '#platform/platform.ts';
import { issuerMetadata, paths, serverMetadata } from './configurations.ts';
import { deliverCredential } from './deliver-credential.ts';
import { ProtocolError } from './protocol-error.ts';
import { codeOf, hashOf, newNonce } from './secrets.ts';
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
export function addWalletIssuance(door: FastifyInstance, platform: Platform): void {
  void door.register(async (apart) => {
    apart.removeAllContentTypeParsers();
    apart.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: body_bytes_max },
      (_request, bytes, done) => done(null, bytes),
    );
    apart.setErrorHandler((error, _request, reply) => sendError(error, reply));
    addMetadata(apart, platform);
    addOffers(apart, platform);
    addEndpoints(apart, platform);
  });
}

function addMetadata(apart: FastifyInstance, { config: { publicUrl } }: Platform): void {
  const serve = (at: string, document: object) =>
    apart.get(at, (_request, reply) =>
      reply
        .headers({
          'content-type': 'application/json',
          'cache-control': `public, max-age=${metadata_seconds}`,
        })
        .send(JSON.stringify(document)),
    );
  serve('/.well-known/openid-credential-issuer', issuerMetadata(publicUrl));
  // RFC 8414 section 3.1: the well-known part stands between the host and the path of the server's name.
  serve(`/.well-known/oauth-authorization-server${paths.prefix}`, serverMetadata(publicUrl));
}

const limited = { config: { limited: true } } as const;

function addOffers(apart: FastifyInstance, platform: Platform): void {
  apart.get<{ Params: { handle: string } }>(`${paths.offers}/:handle`, limited, async ({ params }) => {
    const now = platform.now();
    const offer = await findOfferByHandle(platform.database, hashOf(params.handle));
    const open = offer && offer.expires_at > now && !offer.token_expires_at;
    const credential = open && (await findCredential(platform.database, offer.credential_id));
    if (!credential)
      throw new ProtocolError('invalid_request', 'There is no such offer, or it is used up or expired.', 404);
    return toOfferWire(
      platform.config.publicUrl,
      credential.credential_type,
      codeOf(platform, params.handle),
    );
  });
}

function addEndpoints(apart: FastifyInstance, platform: Platform): void {
  apart.post(paths.token, limited, (request) => tradeCode(platform, formOf(request)));
  apart.post(paths.nonce, limited, () => ({ c_nonce: newNonce(platform, platform.now()) }));
  apart.post(paths.credential, limited, (request) =>
    deliverCredential(platform, bearerOf(request), jsonOf(request)),
  );
}

function formOf(request: FastifyRequest): Readonly<Record<string, string>> {
  const form = isOfType(request, 'application/x-www-form-urlencoded')
    ? readForm(bytesOf(request))
    : undefined;
  if (form === undefined || form instanceof Refusal)
    throw new ProtocolError('invalid_request', form?.message ?? 'The body must be a form.');
  return form;
}

/** The JSON of the body; undefined where it is none. */
function jsonOf(request: FastifyRequest): unknown {
  const bytes = bytesOf(request);
  const text = isUtf8(bytes) ? bytes.toString() : '';
  if (!isOfType(request, 'application/json') || nestsDeeperThan(body_depth_max, text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOfType({ headers }: FastifyRequest, type: string): boolean {
  return headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === type;
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(authorization)?.[1];
}

/** What the protocol has no word for, such as a limit or a defect, is answered as everywhere. */
function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  const known = error instanceof ProtocolError ? error : tooLarge(error);
  if (!known) throw error;
  if (known.status === 401) reply.header('www-authenticate', 'Bearer realm="tessera", error="invalid_token"');
  return reply.code(known.status).send({ error: known.error, error_description: known.message });
}

function tooLarge(error: unknown): ProtocolError | undefined {
  return (error as { readonly code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? new ProtocolError('invalid_request', 'The body is larger than 32 KiB.', 413)
    : undefined;
}

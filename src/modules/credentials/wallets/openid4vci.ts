import { isUtf8 } from 'node:buffer';
import { hashToken } from '#platform/security/hash-token.ts';
import { isNestedDeeperThan } from '#lib/json-depth.ts';
import { Refusal } from '#lib/refusal.ts';
import { findCredential } from '#modules/credentials/credentials';
import { readForm } from '#platform/http/form.ts';
import type {
  OriginHandler,
  OriginOptions,
  OriginReply,
  OriginRequest,
} from '#platform/http/origin-routes.ts';
import { buildIssuerMetadata, buildServerMetadata } from './configurations.ts';
import { deliverCredential } from './deliver-credential.ts';
import { ProtocolError } from './protocol-error.ts';
import { createNonce, deriveCode } from './secrets.ts';
import { findOfferByHandle } from './store.ts';
import { exchangeOfferCode } from './trade-code.ts';
import { toOfferWire } from './wire.ts';

// What wallets call (OpenID for Verifiable Credential Issuance 1.0). Bodies, errors and tokens are the protocol's, not the API's.

const body_bytes_max = 32 * 1024;
const body_depth_max = 16;
const metadata_seconds = 300;

/** The Credential Issuer Metadata. */
export const serveIssuerMetadata: OriginHandler = ({ config }) =>
  buildMetadataReply(buildIssuerMetadata(config.publicUrl));

/** The metadata of the authorization server for the pre-authorized code grant. */
export const serveServerMetadata: OriginHandler = ({ config }) =>
  buildMetadataReply(buildServerMetadata(config.publicUrl));

/** A credential offer, until it is used or expires. */
export const serveOffer: OriginHandler = async (platform, { params }) => {
  const handle = params['handle'] ?? '';
  const offer = await findOfferByHandle(platform.database, hashToken(handle));
  const isOpen = offer && offer.expires_at > platform.now() && !offer.token_expires_at;
  const key = isOpen && { id: offer.credential_id, member_id: offer.member_id };
  const credential = key && (await findCredential(platform.database, key));
  if (!credential)
    throw new ProtocolError('invalid_request', 'The offer does not exist, was used, or has expired.', 404);
  const { publicUrl } = platform.config;
  return buildJsonReply(
    toOfferWire(publicUrl, credential.credential_type, {
      code: deriveCode(platform, handle),
      hasTxCode: offer.tx_code_hash !== null,
    }),
  );
};

/** The token endpoint: a code and its transaction code for an access token. */
export const issueToken: OriginHandler = async (platform, request) =>
  buildJsonReply(await exchangeOfferCode(platform, readFormBody(request)));

/** The nonce endpoint. */
export const issueNonce: OriginHandler = (platform) =>
  buildJsonReply({ c_nonce: createNonce(platform, platform.now()) });

/** The credential endpoint: an access token and a proof of the wallet's key for the credential. */
export const issueCredential: OriginHandler = async (platform, request) =>
  buildJsonReply(await deliverCredential(platform, readBearerToken(request), readJsonBody(request)));

/** How the routes of the protocol read bodies and reply to errors: `{error, error_description}`. */
export const protocolOptions: OriginOptions = {
  body: 'bytes',
  body_bytes_max,
  toReply: (error) => {
    const known = error instanceof ProtocolError ? error : toProtocolError(error);
    if (!known) return undefined;
    const challenge = known.status === 401 && {
      'www-authenticate': 'Bearer realm="tessera", error="invalid_token"',
    };
    const content = { error: known.error, error_description: known.message };
    return { status: known.status, headers: { ...jsonHeaders, ...challenge }, content };
  },
};

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

function buildJsonReply(content: object): OriginReply {
  return { headers: jsonHeaders, content };
}

function buildMetadataReply(content: object): OriginReply {
  const headers = {
    'content-type': 'application/json',
    'cache-control': `public, max-age=${metadata_seconds}`,
  };
  return { headers, content };
}

function readFormBody(request: OriginRequest): Readonly<Record<string, string>> {
  const form = hasContentType(request, 'application/x-www-form-urlencoded')
    ? readForm(readBodyBytes(request))
    : undefined;
  if (form === undefined || form instanceof Refusal)
    throw new ProtocolError('invalid_request', form?.message ?? 'The body must be a form.');
  return form;
}

/** The JSON value of the body; undefined where the body is not JSON. */
function readJsonBody(request: OriginRequest): unknown {
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

function hasContentType({ headers }: OriginRequest, type: string): boolean {
  return headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === type;
}

function readBodyBytes({ body }: OriginRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function readBearerToken({ headers }: OriginRequest): string | undefined {
  return /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(headers['authorization'] ?? '')?.[1];
}

function toProtocolError(error: unknown): ProtocolError | undefined {
  return (error as { readonly code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? new ProtocolError('invalid_request', 'The body is larger than 32 KiB.', 413)
    : undefined;
}

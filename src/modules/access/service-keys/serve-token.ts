import { hashToken } from '#platform/security/hash-token.ts';
import { serveForm } from '#modules/access/agents';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { OriginReply, OriginRequest } from '#platform/http/origin-routes.ts';
import { readWorldTime } from '#platform/clock.ts';
import type { Platform } from '#platform/platform.ts';
import { generateToken } from './key-text.ts';
import { findOpenPublicKey, insertToken } from './store-tokens.ts';
import { AssertionError, readClaimedKey, verifyAssertion } from './verify-assertion.ts';

const form_type = 'application/x-www-form-urlencoded';
const grant_type = 'client_credentials';
const assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const token_seconds = 600;

/** POST /oauth/token: client credentials are those of service keys, everything else those of agents. */
export async function serveToken(platform: Platform, request: OriginRequest): Promise<OriginReply> {
  const form = readForm(request);
  if (form?.get('grant_type') !== grant_type) return serveForm(platform, request);
  const names = [...form.keys()];
  if (new Set(names).size < names.length) return refuse('invalid_request', 'A parameter is there twice.');
  if (form.get('scope'))
    return refuse('invalid_scope', 'A service key has no scopes: its permissions are fixed.');
  if (form.get('client_assertion_type') !== assertion_type)
    return refuse('invalid_client', `client_assertion_type must be ${assertion_type}.`);
  try {
    return await issueToken(platform, form);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    return refuse('invalid_client', error.message);
  }
}

function readForm({ headers, body }: OriginRequest): URLSearchParams | undefined {
  const isForm = headers['content-type']?.startsWith(form_type) === true && Buffer.isBuffer(body);
  return isForm ? new URLSearchParams(body.toString()) : undefined;
}

/** @throws AssertionError */
async function issueToken(platform: Platform, form: URLSearchParams): Promise<OriginReply> {
  const assertion = form.get('client_assertion') ?? '';
  const id = readClaimedKey(assertion);
  if (form.has('client_id') && form.get('client_id') !== id)
    throw new AssertionError('client_id is not the one of the assertion.');
  const database = serviceDatabase(platform);
  const now = platform.now();
  const found = await findOpenPublicKey(database, id, now);
  const keys = found
    ? [found.public_key, ...(found.previous_public_key ? [found.previous_public_key] : [])]
    : [];
  const jti = await verifyAssertion(platform.config, assertion, {
    id,
    keys,
    now: readWorldTime(platform),
  });
  const token = generateToken();
  const isNew = await insertToken(database, {
    token_hash: hashToken(token),
    service_key_id: id,
    assertion_hash: hashToken(jti),
    ends_at: new Date(now.getTime() + token_seconds * 1000),
  });
  if (!isNew) throw new AssertionError('An assertion with this jti was used before.');
  return reply(200, { access_token: token, token_type: 'Bearer', expires_in: token_seconds });
}

function refuse(error: string, error_description: string): OriginReply {
  return reply(error === 'invalid_client' ? 401 : 400, { error, error_description });
}

/** Tokens are in no cache (RFC 6749, section 5.1). */
function reply(status: number, content: object): OriginReply {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    },
    content,
  };
}

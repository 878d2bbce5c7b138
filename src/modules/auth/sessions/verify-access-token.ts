import * as jose from 'jose';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { orgRoles, type SignedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import type { Platform } from '#platform/platform.ts';
import { uuid } from '#platform/schema.ts';
import { access_token_type, buildRestAudience } from './access-token.ts';

/** Who a genuine token speaks for, and until when. */
export type VerifiedToken = {
  readonly caller: SignedInCaller;
  readonly expires_at_ms: number;
  readonly verified_at_ms: number;
};

const characters_max = 4_096;
/** Nodes that share a database may disagree on the time by this much. */
const future_seconds_max = 60;

/** The scheme is compared without case (RFC 9110 section 11.1). */
const bearer = /^bearer +([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/i;

/** What we put into a header, and nothing else: a token that brings its own key (jwk, jku, x5u) or asks for more (crit) is not ours. */
const headerSchema = Type.Object(
  {
    alg: Type.Enum(['ES256', 'RS256']),
    kid: Type.String({ maxLength: 100 }),
    typ: Type.Enum([access_token_type]),
  },
  { additionalProperties: false },
);

const registeredClaims = {
  iss: Type.String(),
  aud: Type.String(),
  sub: uuid,
  sid: uuid,
  jti: uuid,
  client_id: Type.Enum(['rest']),
  iat: Type.Integer(),
  exp: Type.Integer(),
};

const claimSchemas = {
  member: Type.Object(
    { ...registeredClaims, role: Type.Enum(['member']), member_id: uuid },
    { additionalProperties: false },
  ),
  organisation: Type.Object(
    { ...registeredClaims, role: Type.Enum(orgRoles), org_id: uuid },
    { additionalProperties: false },
  ),
  platform: Type.Object(
    { ...registeredClaims, role: Type.Enum(['platform_admin']) },
    { additionalProperties: false },
  ),
};

/**
 * Verifies an Authorization header in full: form, signature, issuer, audience and every claim. Expiry and revocation are the caller's to
 * look at, every time.
 *
 * @throws Refusal `token_invalid`.
 */
export async function verifyAccessToken(platform: Platform, authorization: string): Promise<VerifiedToken> {
  const token = readBearerToken(authorization);
  const key = await requireSigningKey(platform, token);
  const payload = await verifyPayload(platform, token, key);
  const now_ms = platform.now().getTime();
  const { caller, iat, exp } = readClaims(payload);
  if (iat * 1000 > now_ms + future_seconds_max * 1000) throw new Refusal('token_invalid');
  // An operator who shortens the lifetime shortens it for the tokens that are out as well.
  const expires_at_ms = Math.min(exp, iat + platform.config.token.access_seconds) * 1000;
  return { caller, expires_at_ms, verified_at_ms: now_ms };
}

/** One token has one spelling: base64url without padding, stray bits or line breaks (RFC 7515 section 2). */
function readBearerToken(authorization: string): string {
  const parts = authorization.length <= characters_max ? bearer.exec(authorization)?.slice(1) : undefined;
  if (!parts?.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part))
    throw new Refusal('token_invalid');
  return parts.join('.');
}

async function requireSigningKey({ keys }: Platform, token: string): Promise<SigningKey> {
  const header = readHeader(token);
  const key = Value.Check(headerSchema, header) ? await keys.find(header.kid) : undefined;
  if (key === undefined || key.algorithm !== (header as { alg?: unknown }).alg)
    throw new Refusal('token_invalid');
  return key;
}

function readHeader(token: string): unknown {
  try {
    return jose.decodeProtectedHeader(token);
  } catch {
    throw new Refusal('token_invalid');
  }
}

async function verifyPayload({ config, now }: Platform, token: string, key: SigningKey): Promise<unknown> {
  try {
    const { payload } = await jose.jwtVerify(token, key.publicKey, {
      algorithms: [key.algorithm],
      typ: access_token_type,
      issuer: config.publicUrl,
      audience: buildRestAudience(config),
      currentDate: now(),
    });
    return payload;
  } catch (error) {
    throw new Refusal(error instanceof jose.errors.JWTExpired ? 'token_expired' : 'token_invalid');
  }
}

type RegisteredClaims = Static<ReturnType<typeof Type.Object<typeof registeredClaims>>>;

function readClaims(
  payload: unknown,
): { readonly caller: SignedInCaller } & Pick<RegisteredClaims, 'iat' | 'exp'> {
  if (Value.Check(claimSchemas.member, payload)) {
    const { sub: user_id, sid: session_id, role, member_id, iat, exp } = payload;
    return { caller: { user_id, session_id, role, member_id }, iat, exp };
  }
  if (Value.Check(claimSchemas.organisation, payload)) {
    const { sub: user_id, sid: session_id, role, org_id, iat, exp } = payload;
    return { caller: { user_id, session_id, role, org_id }, iat, exp };
  }
  if (Value.Check(claimSchemas.platform, payload)) {
    const { sub: user_id, sid: session_id, role, iat, exp } = payload;
    return { caller: { user_id, session_id, role }, iat, exp };
  }
  throw new Refusal('token_invalid');
}

import * as jose from 'jose';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { orgRoles, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import { mayHaveSignedAt } from '#platform/security/published-keys.ts';
import type { Platform } from '#platform/platform.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { access_token_type, buildRestAudience } from './access-token.ts';

/** The caller that a verified token identifies, and when the token expires. */
export type VerifiedToken = {
  readonly caller: LoggedInCaller;
  readonly expires_at_ms: number;
  readonly verified_at_ms: number;
};

const characters_max = 4_096;
/** The largest tolerated difference between the clocks of nodes that share a database. */
const future_seconds_max = 60;

/** The scheme is case-insensitive (RFC 9110 section 11.1). */
const bearer = /^bearer +([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/i;

/** Exactly the header that we write. A header with a key (jwk, jku, x5u) or with critical extensions (crit) is refused. */
const headerSchema = closedObject({
  alg: Type.Enum(['ES256', 'RS256']),
  kid: Type.String({ maxLength: 100 }),
  typ: Type.Enum([access_token_type]),
});

const registeredClaims = {
  iss: Type.String(),
  aud: Type.String(),
  sub: uuid,
  sid: uuid,
  jti: uuid,
  client_id: Type.Enum(['rest']),
  /** Missing in tokens from before the service wrote it, which count as authenticated long ago. */
  auth_time: Type.Optional(Type.Integer({ minimum: 0 })),
  iat: Type.Integer(),
  exp: Type.Integer(),
};

const claimSchemas = {
  member: closedObject({ ...registeredClaims, role: Type.Enum(['member']), member_id: uuid }),
  organisation: closedObject({ ...registeredClaims, role: Type.Enum(orgRoles), org_id: uuid }),
  platform: closedObject({ ...registeredClaims, role: Type.Enum(['platform_admin']) }),
};

/**
 * Verifies an Authorization header in full: form, signature, issuer, audience and every claim. The result is cached, so the caller must check
 * expiry and revocation on every request.
 *
 * @throws Refusal `token_invalid`, `token_expired`.
 */
export async function verifyAccessToken(platform: Platform, authorization: string): Promise<VerifiedToken> {
  const token = readBearerToken(authorization);
  const key = await requireSigningKey(platform, token);
  const payload = await verifyPayload(platform, token, key);
  const now_ms = platform.now().getTime();
  const { caller, iat, exp } = readClaims(payload);
  if (iat * 1000 > now_ms + future_seconds_max * 1000) throw new Refusal('token_invalid');
  // Together with the lifetime below, this ends the acceptance of a retired key when the last token that it signed expires.
  if (!mayHaveSignedAt(key, iat * 1000)) throw new Refusal('token_invalid');
  // A lifetime that the operator shortens also applies to tokens that were issued before.
  const expires_at_ms = Math.min(exp, iat + platform.config.token.access_seconds) * 1000;
  return { caller, expires_at_ms, verified_at_ms: now_ms };
}

/** Reads the token and accepts only one spelling of it: base64url without padding, stray bits or line breaks (RFC 7515 section 2). */
function readBearerToken(authorization: string): string {
  const parts = authorization.length <= characters_max ? bearer.exec(authorization)?.slice(1) : undefined;
  if (!parts?.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part))
    throw new Refusal('token_invalid');
  return parts.join('.');
}

async function requireSigningKey({ keys }: Platform, token: string): Promise<SigningKey> {
  const header = readHeader(token);
  if (!Value.Check(headerSchema, header)) throw new Refusal('token_invalid');
  const key = await keys.find('access_token', header.kid);
  if (key?.algorithm !== header.alg) throw new Refusal('token_invalid');
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
): { readonly caller: LoggedInCaller } & Pick<RegisteredClaims, 'iat' | 'exp'> {
  if (Value.Check(claimSchemas.member, payload)) {
    const { role, member_id, iat, exp } = payload;
    return { caller: { ...readSession(payload), role, member_id }, iat, exp };
  }
  if (Value.Check(claimSchemas.organisation, payload)) {
    const { role, org_id, iat, exp } = payload;
    return { caller: { ...readSession(payload), role, org_id }, iat, exp };
  }
  if (Value.Check(claimSchemas.platform, payload)) {
    const { role, iat, exp } = payload;
    return { caller: { ...readSession(payload), role }, iat, exp };
  }
  throw new Refusal('token_invalid');
}

function readSession({ sub, sid, auth_time = 0 }: Pick<RegisteredClaims, 'sub' | 'sid' | 'auth_time'>) {
  return { user_id: sub, session_id: sid, authenticated_at: new Date(auth_time * 1000) };
}

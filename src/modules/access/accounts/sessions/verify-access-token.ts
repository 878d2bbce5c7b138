import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { orgRoles, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { buildRestAudience, mfa_method } from './access-token.ts';
import { verifyBearerToken } from './verify-bearer-token.ts';

/** The caller that a verified token identifies, and when the token expires. */
export type VerifiedToken = {
  readonly caller: LoggedInCaller;
  readonly expires_at_ms: number;
  readonly verified_at_ms: number;
};

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
  platform: closedObject({
    ...registeredClaims,
    role: Type.Enum(['platform_admin']),
    amr: Type.Optional(Type.Tuple([Type.Literal(mfa_method)])),
  }),
};

/**
 * Verifies an Authorization header in full: form, signature, issuer, audience and every claim. The result is cached, so the caller must check
 * expiry and revocation on every request.
 *
 * @throws Refusal `token_invalid`, `token_expired`.
 */
export async function verifyAccessToken(platform: Platform, authorization: string): Promise<VerifiedToken> {
  const payload = await verifyBearerToken(platform, authorization, buildRestAudience(platform.config));
  const now_ms = platform.now().getTime();
  const { caller, iat, exp } = readClaims(payload);
  // A lifetime that the operator shortens also applies to tokens that were issued before.
  const expires_at_ms = Math.min(exp, iat + platform.config.token.access_seconds) * 1000;
  return { caller, expires_at_ms, verified_at_ms: now_ms };
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
    const { role, amr, iat, exp } = payload;
    return { caller: { ...readSession(payload), role, ...(amr && { by_mfa: true }) }, iat, exp };
  }
  throw new Refusal('token_invalid');
}

function readSession({ sub, sid, auth_time = 0 }: Pick<RegisteredClaims, 'sub' | 'sid' | 'auth_time'>) {
  return { user_id: sub, session_id: sid, authenticated_at: new Date(auth_time * 1000) };
}

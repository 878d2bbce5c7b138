import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { Refusal } from '#lib/refusal.ts';
import { verifyBearerToken } from '#modules/access/accounts';
import type { Platform } from '#platform/platform.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { buildResource, lifetimes_s, readTools } from '../rules.ts';

/** What a verified capability token says. Whether its grant is alive is not part of it. */
export type VerifiedCapability = {
  readonly user_id: string;
  readonly grant_id: string;
  readonly client_id: string;
  readonly tools: readonly string[];
  readonly expires_at_ms: number;
  readonly verified_at_ms: number;
};

/** Exactly the claims that this service writes (RFC 9068, and `gid` for the grant). */
const claims = closedObject({
  iss: Type.String(),
  aud: Type.String(),
  sub: uuid,
  client_id: Type.String({ minLength: 1 }),
  gid: uuid,
  jti: Type.String({ minLength: 1 }),
  scope: Type.String(),
  iat: Type.Integer(),
  exp: Type.Integer(),
});

/**
 * Verifies the capability token of an Authorization header in full: form, signature, issuer, audience and every claim.
 *
 * @throws Refusal `token_invalid`, `token_expired`.
 */
export async function verifyCapability(
  platform: Platform,
  authorization: string,
): Promise<VerifiedCapability> {
  const payload = await verifyBearerToken(platform, authorization, buildResource(platform.config.publicUrl));
  if (!Value.Check(claims, payload)) throw new Refusal('token_invalid');
  const { sub, gid, client_id, scope, iat, exp } = payload;
  return {
    user_id: sub,
    grant_id: gid,
    client_id,
    tools: readTools(platform.tools, scope),
    expires_at_ms: Math.min(exp, iat + lifetimes_s.access_token) * 1000,
    verified_at_ms: platform.now().getTime(),
  };
}

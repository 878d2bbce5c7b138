import { randomUUID } from 'node:crypto';
import type { Config } from '#platform/config.ts';
import { signJws } from '#platform/security/jws.ts';
import type { Services } from '#platform/platform.ts';
import type { User } from '../store.ts';
import type { AccessTokenWire } from '../wire.ts';

/** What signing requires: the keys, the configured algorithm and lifetime, and the time. */
export type SigningContext = Pick<Services, 'config' | 'keys' | 'now'>;

/** The header type of an access token (RFC 9068 section 2.1), which prevents the use of our other tokens as access tokens. */
export const access_token_type = 'at+jwt';

/** Multiple-factor authentication (RFC 8176 section 2). */
export const mfa_method = 'mfa';

/** Builds the audience of access tokens: the REST API only, not our other endpoints. */
export function buildRestAudience({ publicUrl }: Config): string {
  return `${publicUrl}/api/v1`;
}

/** The session of an access token. */
export type SignedSession = {
  readonly id: string;
  /** When its user last proved who they are: the claim `auth_time` (OpenID Connect Core section 2). */
  readonly authenticated_at: Date;
  /** The token expires with the session. */
  readonly ends_at: Date;
  /** Whether its user passed MFA: for platform administrators, the claim `amr` (RFC 8176). */
  readonly by_mfa: boolean;
};

/** Signs an access token for a session: the claims of RFC 9068, the session and the role. @returns the token fields of a reply. */
export function signAccessToken(
  { config, keys, now }: SigningContext,
  user: Pick<User, 'id' | 'role' | 'linked_entity_id'>,
  session: SignedSession,
): AccessTokenWire {
  const key = keys.selectActive('access_token', config.token.algorithm);
  const issued_at = Math.floor(now().getTime() / 1000);
  const left_s = Math.floor(session.ends_at.getTime() / 1000) - issued_at;
  const expires_in = Math.min(config.token.access_seconds, left_s);
  const header = { kid: key.kid, typ: access_token_type };
  const access_token = signJws(key, header, {
    sid: session.id,
    auth_time: Math.floor(session.authenticated_at.getTime() / 1000),
    role: user.role,
    client_id: 'rest',
    ...buildLinkClaim(user),
    ...(user.role === 'platform_admin' && session.by_mfa && { amr: [mfa_method] }),
    iss: config.publicUrl,
    aud: buildRestAudience(config),
    sub: user.id,
    iat: issued_at,
    exp: issued_at + expires_in,
    jti: randomUUID(),
  });
  return { access_token, token_type: 'Bearer', expires_in };
}

function buildLinkClaim({ role, linked_entity_id }: Pick<User, 'role' | 'linked_entity_id'>) {
  if (role === 'platform_admin') return {};
  return role === 'member' ? { member_id: linked_entity_id } : { org_id: linked_entity_id };
}

import type { JWK } from 'jose';
import type { Services } from '#platform/platform.ts';
import { refresh_ms, type SigningKey } from './keys.ts';

/**
 * How long after its retirement a key may still have signed on another node, which may know the keys of {@link refresh_ms} ago and have a
 * clock that differs.
 */
const retirement_margin_ms = refresh_ms + 50_000;

/** Whether the key may have signed a token at a time: a revoked key never, a retired one only until shortly after its retirement. */
export function mayHaveSignedAt(
  { retired_at, revoked_at }: Pick<SigningKey, 'retired_at' | 'revoked_at'>,
  time_ms: number,
): boolean {
  if (revoked_at) return false;
  return retired_at === null || time_ms <= retired_at.getTime() + retirement_margin_ms;
}

/** The public keys that verify credentials (RFC 7517): the active one and the retired ones, but no revoked one. */
export function listCredentialKeys({ keys }: Pick<Services, 'keys'>): readonly JWK[] {
  return keys
    .list()
    .filter(({ purpose, revoked_at }) => purpose === 'credential' && revoked_at === null)
    .map(({ publicJwk }) => publicJwk);
}

/** The public keys that verify access tokens: the active ones, and retired ones while a token that they signed can still be valid. */
export function listAccessTokenKeys({
  keys,
  config,
  now,
}: Pick<Services, 'keys' | 'config' | 'now'>): readonly JWK[] {
  const oldest_token_ms = now().getTime() - config.token.access_seconds * 1000;
  return keys
    .list()
    .filter((key) => key.purpose === 'access_token' && mayHaveSignedAt(key, oldest_token_ms))
    .map(({ publicJwk }) => publicJwk);
}

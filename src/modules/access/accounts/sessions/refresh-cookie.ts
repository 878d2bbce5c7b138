import { randomBytes } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import type { Config } from '#platform/config.ts';
import type { Cookie, RequestFacts } from '#platform/operation.ts';
import { hashToken } from '../secret-token.ts';

const cookie = { name: 'refresh_token', path: '/api/v1/auth' };

/** Deletes the refresh cookie on the client. */
export const clearedRefreshCookie: Cookie = { ...cookie, value: '', max_age_s: 0 };

/** Creates a refresh token of 256 random bits. @returns its cookie, its hash and its expiry. */
export function createRefreshToken({ token }: Config, now: Date) {
  const value = randomBytes(32).toString('base64url');
  const max_age_s = token.refresh_days * 86_400;
  return {
    cookie: { ...cookie, value, max_age_s },
    token_hash: hashToken(value),
    expires_at: new Date(now.getTime() + max_age_s * 1000),
  };
}

/** Reads the refresh cookie of a request. @returns the hash of its token, or undefined without a cookie. */
export function readRefreshTokenHash({ cookies }: RequestFacts): Buffer | undefined {
  const value = cookies[cookie.name];
  return value ? hashToken(value) : undefined;
}

/**
 * Refuses a request that a page of another site caused. The cookie's SameSite attribute does not cover pages of sibling domains, and a browser
 * names the page's origin with every POST. Programs that are not browsers send none.
 *
 * @throws Refusal `origin_not_allowed`.
 */
export function requireOwnOrigin({ publicUrl }: Config, { origin }: RequestFacts): void {
  if (origin !== undefined && origin !== publicUrl) throw new Refusal('origin_not_allowed');
}

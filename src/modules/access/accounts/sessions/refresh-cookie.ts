import { randomBytes } from 'node:crypto';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Config } from '#platform/config.ts';
import type { Cookie, RequestFacts } from '#platform/operation.ts';
import type { Secrets } from '#platform/security/secrets.ts';

const cookie = { name: 'refresh_token', path: '/api/v1/auth' };

/** Deletes the refresh cookie on the client. */
export const clearedRefreshCookie: Cookie = { ...cookie, value: '', max_age_s: 0 };

/** When a refresh token is issued, and when its session ends. */
type TokenTimes = { readonly now: Date; readonly ends_at: Date };

/** Creates a refresh token of 256 random bits. @returns its cookie, its hash and its expiry. */
export function createRefreshToken(config: Config, times: TokenTimes) {
  return describeRefreshToken(config, randomBytes(32).toString('base64url'), times);
}

/**
 * Derives the token that follows a refresh token, from it and the master key. So the same successor can be returned again to a client that has not
 * received it, although neither token is stored.
 */
export function deriveSuccessor(
  { config, secrets }: { readonly config: Config; readonly secrets: Secrets },
  refresh_token: string,
  times: TokenTimes,
) {
  const value = secrets.computeHmac('refresh-successor', refresh_token).toString('base64url');
  return describeRefreshToken(config, value, times);
}

function describeRefreshToken(config: Config, value: string, times: TokenTimes) {
  const max_age_s = computeRefreshSeconds(config, times);
  const { now } = times;
  return {
    cookie: { ...cookie, value, max_age_s },
    token_hash: hashToken(value),
    expires_at: new Date(now.getTime() + max_age_s * 1000),
  };
}

/** Computes how long a refresh token lives from now: not longer than its session. */
export function computeRefreshSeconds({ token }: Config, { now, ends_at }: TokenTimes): number {
  const left_s = Math.floor((ends_at.getTime() - now.getTime()) / 1000);
  return Math.min(token.refresh_days * 86_400, left_s);
}

/** Reads the refresh cookie of a request. @returns its token, or undefined without a cookie. */
export function readRefreshToken({ cookies }: RequestFacts): string | undefined {
  return cookies[cookie.name] || undefined;
}

/** Reads the refresh cookie of a request. @returns the hash of its token, or undefined without a cookie. */
export function readRefreshTokenHash(request: RequestFacts): Buffer | undefined {
  const value = readRefreshToken(request);
  return value === undefined ? undefined : hashToken(value);
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

import { createHash, randomBytes } from 'node:crypto';
import type { Cookie, RequestFacts } from '#platform/operation.ts';
import { request_minutes } from '../rules.ts';

const name = 'sso_browser';

/**
 * Ties a login to the browser that started it. Without it, somebody could start a login, sign in as themselves at their identity provider,
 * and have another person's browser deliver the answer: that person would go on in a stranger's account. SameSite=None, because the
 * answer is posted by a page of the identity provider.
 */
export function buildBrowserCookie(request: RequestFacts): {
  readonly cookie: Cookie;
  readonly browser_hash: Buffer;
} {
  const brought = request.cookies[name];
  // A second login in another tab must not undo the first.
  const value =
    brought !== undefined && /^[\w-]{43}$/.test(brought) ? brought : randomBytes(32).toString('base64url');
  const cookie = {
    name,
    value,
    max_age_s: request_minutes * 60,
    path: '/api/v1/auth/sso',
    cross_site: true,
  } as const;
  return { cookie, browser_hash: hashCookie(value) };
}

/** Whether a login is answered by the browser that started it. What is no browser sends no origin, and nobody can make it post. */
export function isSameBrowser({ cookies, origin }: RequestFacts, browser_hash: Buffer): boolean {
  return origin === undefined || hashCookie(cookies[name] ?? '').equals(browser_hash);
}

function hashCookie(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

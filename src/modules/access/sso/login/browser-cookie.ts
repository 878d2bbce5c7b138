import { randomBytes } from 'node:crypto';
import { hashToken } from '#platform/security/hash-token.ts';
import type { Refusal } from '#lib/refusal.ts';
import type { Cookie, RequestFacts } from '#platform/operation.ts';
import { createResponseRefusal, request_minutes } from '../rules.ts';

const name = 'sso_browser';

/**
 * Builds the cookie that binds a login to the browser that started it. Without it, an attacker could start a login, log in at the identity
 * provider, and have a victim's browser post the response: the victim would then work in the attacker's account. The cookie is
 * SameSite=None, because a page of the identity provider posts the response.
 */
export function buildBrowserCookie(request: RequestFacts): {
  readonly cookie: Cookie;
  readonly browser_hash: Buffer;
} {
  const current = request.cookies[name];
  // An existing cookie stays, so that a second login in another tab does not invalidate the first.
  const value =
    current !== undefined && /^[\w-]{43}$/.test(current) ? current : randomBytes(32).toString('base64url');
  const cookie = {
    name,
    value,
    max_age_s: request_minutes * 60,
    path: '/api/v1/auth/sso',
    cross_site: true,
  } as const;
  return { cookie, browser_hash: hashToken(value) };
}

/**
 * Whether the response comes from the browser that started the login. A client that sends no Origin header is not a browser, and cannot be
 * tricked into posting.
 */
export function isSameBrowser(request: RequestFacts, browser_hash: Buffer): boolean {
  return request.origin === undefined || hasCookieOf(request, browser_hash);
}

/** Whether a request has the cookie of the browser that started the login. A browser that is sent to an address names no origin, so there only the cookie counts. */
export function hasCookieOf({ cookies }: RequestFacts, browser_hash: Buffer): boolean {
  return hashToken(cookies[name] ?? '').equals(browser_hash);
}

/** The refusal of an answer that another browser brings. */
export function createOtherBrowserRefusal(): Refusal {
  return createResponseRefusal('This login was started in another browser.');
}

import { parseCookie, stringifySetCookie } from 'cookie';
import type { Cookie } from '#platform/operation.ts';

/**
 * Reads a Cookie header (RFC 6265 section 5.4); the first of several cookies with the same name counts. Values are our own base64url, so
 * nothing is decoded and every value has one spelling.
 */
export function parseCookies(header: string | undefined): Readonly<Record<string, string | undefined>> {
  const cookies = parseCookie(header ?? '', { decode: (value) => value });
  delete cookies[''];
  return cookies;
}

/** Writes a Set-Cookie header. */
export function serialiseCookie({ name, value, max_age_s, path, cross_site }: Cookie): string {
  return stringifySetCookie({
    name,
    value,
    maxAge: max_age_s,
    path,
    httpOnly: true,
    secure: true,
    sameSite: cross_site ? 'none' : 'lax',
  });
}

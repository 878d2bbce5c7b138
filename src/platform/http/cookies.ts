import { parseCookie, stringifySetCookie } from 'cookie';
import type { Cookie } from '#platform/operation.ts';

/**
 * Parses a Cookie header (RFC 6265 section 5.4). If a name appears several times, the first cookie counts. The values that this service sets
 * are base64url, so they are not decoded.
 */
export function parseCookies(header: string | undefined): Readonly<Record<string, string | undefined>> {
  const cookies = parseCookie(header ?? '', { decode: (value) => value });
  delete cookies[''];
  return cookies;
}

/** Formats a Set-Cookie header. */
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

import type { Cookie } from '#platform/operation.ts';

/** Reads a Cookie header (RFC 6265 section 5.4); of a repeated name the first counts. */
export function parseCookies(header: string | undefined): Readonly<Record<string, string | undefined>> {
  const cookies = Object.create(null) as Record<string, string>;
  for (const pair of header?.split(';', 50) ?? []) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name !== '' && !(name in cookies)) cookies[name] = pair.slice(equals + 1).trim();
  }
  return cookies;
}

/** Writes a Set-Cookie header. Values are our own base64url, so nothing needs quoting. */
export function serialiseCookie({ name, value, max_age_s, path, cross_site }: Cookie): string {
  const same_site = cross_site ? 'None' : 'Lax';
  return `${name}=${value}; Max-Age=${max_age_s}; Path=${path}; HttpOnly; Secure; SameSite=${same_site}`;
}

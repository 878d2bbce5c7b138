import type { Config } from '#platform/config.ts';
import type { Cookie } from '#platform/operation.ts';

/**
 * The names of the cookie in which the console has a session. With `__Host-`, a browser accepts a cookie only over https and from this host,
 * not from a sibling domain (RFC 6265bis, 4.1.3.2).
 */
export const console_cookies = ['tessera-session', '__Host-tessera-session'] as const;

/** The name of the console's cookie at this public URL. */
export function nameConsoleCookie({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl.startsWith('https:') ? console_cookies[1] : console_cookies[0];
}

/**
 * Turns the cookie of a new session into the one of the console, for a login that continues there. The API's own cookie is not set as well:
 * its next use would replace the token that the console holds.
 */
export function toConsoleCookie(config: Pick<Config, 'publicUrl'>, cookie: Cookie): Cookie {
  return { ...cookie, name: nameConsoleCookie(config), path: '/' };
}

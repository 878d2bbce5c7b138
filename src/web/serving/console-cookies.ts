import { randomBytes } from 'node:crypto';
import { stringifySetCookie } from 'cookie';
import { nameConsoleCookie } from '#modules/access/accounts';
import type { Config } from '#platform/config.ts';
import type { Cookie } from '#platform/operation.ts';

/** The cookie in which the API carries the refresh token. */
const api_cookie = 'refresh_token';

/** The cookies of a browser that the console uses. */
export type ConsoleCookies = {
  /** The refresh token of the session. */
  readonly session: string | undefined;
  /** A random text that ties the forms of a visitor without a session to their browser. */
  readonly visit: string | undefined;
};

function nameCookies(config: Pick<Config, 'publicUrl'>) {
  const session = nameConsoleCookie(config);
  return { session, visit: session.replace('session', 'visit') };
}

/** Reads the console's cookies from those of a request. */
export function readConsoleCookies(
  config: Config,
  cookies: Readonly<Record<string, string | undefined>>,
): ConsoleCookies {
  const { session, visit } = nameCookies(config);
  return { session: cookies[session] || undefined, visit: cookies[visit] || undefined };
}

/** The cookies of a call in process: the console's session is the API's session. */
export function buildApiCookies({ session }: ConsoleCookies): Readonly<Record<string, string | undefined>> {
  return { [api_cookie]: session };
}

/** Creates the value of the cookie for a visitor without a session. */
export function createVisitId(): string {
  return randomBytes(16).toString('base64url');
}

/** Formats the cookie of a visitor without a session. It ends with the browser. */
export function formatVisitCookie(config: Config, visit: string): string {
  return formatCookie(config, nameCookies(config).visit, visit);
}

export function formatSessionCookie(config: Config, value: string, maxAge: number): string {
  return formatCookie(config, nameCookies(config).session, value, maxAge);
}

/** Translates the cookies of the API's replies to those of the console: the same session, sent with every page. */
export function formatReplyCookies(config: Config, cookies: readonly Cookie[]): readonly string[] {
  return cookies
    .filter(({ name }) => name === api_cookie)
    .map(({ value, max_age_s }) => formatSessionCookie(config, value, max_age_s));
}

/** Reads the session that a reply begins from its Set-Cookie headers; undefined if it begins none. */
export function readNewSession(
  config: Pick<Config, 'publicUrl'>,
  set_cookies: string | readonly string[] = [],
): string | undefined {
  const prefix = `${nameCookies(config).session}=`;
  const header = [set_cookies].flat().find((each) => each.startsWith(prefix));
  return header?.slice(prefix.length).split(';')[0] || undefined;
}

/** SameSite=Lax, because a link in an email must find its reader logged in. Forms are protected by their tokens as well. */
function formatCookie({ publicUrl }: Config, name: string, value: string, maxAge?: number): string {
  return stringifySetCookie({
    name,
    value,
    path: '/',
    httpOnly: true,
    secure: publicUrl.startsWith('https:'),
    sameSite: 'lax',
    ...(maxAge !== undefined && { maxAge }),
  });
}

import { randomBytes } from 'node:crypto';
import type { OriginHandler } from '#platform/http/origin-routes.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { formatSessionCookie } from '../serving/console-cookies.ts';
import { goTo } from '../serving/page.ts';

/** The sessions that links of the demonstration open, by the random part of the link. Only the demonstration creates any. */
const demoLinks = instanceMemory(() => new Map<string, string>());

/** Creates an address that opens the console in the session of this refresh token, once. */
export function createDemoLink(platform: Platform, refresh_token: string): string {
  const token = randomBytes(12).toString('base64url');
  demoLinks(platform).set(token, refresh_token);
  return `${platform.config.publicUrl}/demo/${token}`;
}

/** Opens the console in a session of the demonstration. An unknown or used link leads to the login. */
export const serveDemoLink: OriginHandler = (platform, { params }) => {
  const token = params['token'] ?? '';
  const refresh_token = demoLinks(platform).get(token);
  demoLinks(platform).delete(token);
  if (refresh_token === undefined) return buildRedirection(goTo('/sign-in', 'demoLinkUsed').location);
  const max_age_s = platform.config.token.refresh_days * 86_400;
  const cookie = formatSessionCookie(platform.config, refresh_token, max_age_s);
  return buildRedirection('/app', { 'set-cookie': cookie });
};

function buildRedirection(location: string, headers: Readonly<Record<string, string>> = {}) {
  return { status: 303, headers: { location, ...headers }, content: '' };
}

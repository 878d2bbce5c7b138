import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import { Refusal } from '#lib/refusal.ts';
import type { Config } from '#platform/config.ts';

/**
 * Builds the check of the Host and Origin headers, which the protocol requires against DNS rebinding: a page of another site that reaches this
 * service under its own name has that name in both. Programs that are not browsers send no Origin. Pages of this service and of the same
 * computer may call it.
 */
export function buildSiteCheck({ publicUrl }: Config): (host: string, origin: string | undefined) => void {
  const ownOrigin = new URL(publicUrl);
  const local = localhostAllowedHostnames();
  const allowed = [ownOrigin.hostname, ...local];
  return (host, origin) => {
    if (!validateHostHeader(host, allowed).ok) throw new Refusal('host_not_allowed');
    if (origin === undefined) return;
    const isAllowed = origin === ownOrigin.origin || isLocalOrigin(origin, local);
    if (!isAllowed) throw new Refusal('page_not_allowed');
  };
}

function isLocalOrigin(origin: string, local: readonly string[]): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === 'http:' || protocol === 'https:') && local.includes(hostname);
}

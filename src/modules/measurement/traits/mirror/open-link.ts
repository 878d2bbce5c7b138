import { Refusal } from '#lib/refusal.ts';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { loadMirror, type LoadedMirror } from './load-mirror.ts';
import { isLinkExpired, link_hours } from './rules.ts';
import { openLink } from './sealed-mirror.ts';

/**
 * Opens the link of an email: whose mailbox it proves, and the mirror that it carries.
 *
 * @throws Refusal `mirror_link_invalid`.
 */
export async function loadLink(
  services: Pick<Services, 'secrets' | 'now' | 'memory'>,
  db: Reader,
  token: string,
): Promise<LoadedMirror & { readonly email: string }> {
  const link = openLink(services, token);
  if (link === undefined || isLinkExpired(link, services.now())) throw new Refusal('mirror_link_invalid');
  // The mirror may be an hour older than the link.
  const age_ms_max = (link_hours + 1) * 3_600_000;
  return { ...(await loadMirror(services, db, link.mirror, age_ms_max)), email: link.email };
}

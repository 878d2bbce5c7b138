import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { isVerifiedByName } from './check-domain-holder.ts';
import { findHeldClaim, findNewestClaim } from './store.ts';

/** Finds the organisation that has verified a domain, or undefined. Of a name that counts as verified, the newest claim counts. */
export async function findDomainHolder(
  services: Pick<Services, 'config'>,
  db: Reader,
  domain: string,
): Promise<string | undefined> {
  const held = await findHeldClaim(db, domain);
  const claim = held ?? (isVerifiedByName(services, domain) ? await findNewestClaim(db, domain) : undefined);
  return claim?.org_id;
}

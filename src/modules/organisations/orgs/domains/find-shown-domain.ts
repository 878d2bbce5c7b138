import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { isVerifiedByName } from './check-domain-holder.ts';
import { listDomainClaims } from './store.ts';

/**
 * Finds the domain by which others can recognise an organisation: the first that it has proven, or whose name counts as proven; null if there is
 * none. Anyone can choose a name.
 */
export async function findShownDomain(
  services: Pick<Services, 'config'>,
  db: Reader,
  org_id: string,
): Promise<string | null> {
  const claims = await listDomainClaims(db, org_id);
  const claim =
    claims.find(({ verified_at }) => verified_at !== null) ??
    claims.find(({ domain }) => isVerifiedByName(services, domain));
  return claim?.domain ?? null;
}

import { randomBytes } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import { deleteOtherDomainClaims, insertDomainClaim } from './store.ts';

/** Creates the random text that only the owner of a domain can publish in its DNS on behalf of an organisation. */
export function createChallenge(): string {
  return randomBytes(18).toString('base64url');
}

/**
 * Makes these domains, in lower case, the ones that an organisation claims. New ones have no proof yet. Those that it no longer claims lose
 * their proof.
 */
export async function claimDomains(
  tx: Transaction,
  {
    org_id,
    domains,
    now,
  }: { readonly org_id: string; readonly domains: readonly string[]; readonly now: Date },
): Promise<void> {
  await deleteOtherDomainClaims(tx, org_id, domains);
  // Alphabetical, so that two concurrent changes of one organisation cannot wait for each other.
  for (const domain of domains.toSorted())
    await insertDomainClaim(tx, { org_id, domain, challenge: createChallenge(), created_at: now });
}

import { listAdministratorEmails } from '#modules/access/accounts';
import {
  findRegistrableDomain,
  isDomainOfTests,
  isTierSet,
  listDomainClaims,
  readMailDomain,
} from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';

/** How the owner of an organisation is known: to the operator, by registrable domains that the organisation has proven, or as that of a test. */
type KnownOwner =
  | { readonly kind: 'operator' }
  | { readonly kind: 'domains'; readonly domains: readonly string[] }
  | { readonly kind: 'tests' };

/**
 * Finds what tells the owner of an organisation from the owners of others: the operator has set its tier, or it has proven a domain; outside production,
 * also a domain of tests. Undefined if there is nothing: one mailbox has any number of addresses, and could have as many organisations.
 */
export async function findKnownOwner(
  services: Pick<Services, 'config'>,
  db: Reader,
  org_id: string,
): Promise<KnownOwner | undefined> {
  if (await isTierSet(db, org_id)) return { kind: 'operator' };
  const claims = await listDomainClaims(db, org_id);
  const proven = claims.filter(({ verified_at }) => verified_at !== null);
  const domains = [...new Set(proven.map((claim) => findRegistrableDomain(claim.domain)))];
  if (domains.length > 0) return { kind: 'domains', domains };
  if (services.config.production) return undefined;
  const emails = await listAdministratorEmails(db, org_id);
  const known = [...emails.map(readMailDomain), ...claims.map((claim) => claim.domain)];
  return known.some((each) => isDomainOfTests(services, each)) ? { kind: 'tests' } : undefined;
}

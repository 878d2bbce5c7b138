import {
  findRegistrableDomain,
  isDomainOfTests,
  isTierSet,
  listDomainClaims,
  readMailDomain,
} from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { listAdministratorEmails, listTakenDomains } from '../store-free-domains.ts';

/** Why an organisation has free reads. Those of a domain are given once, to the first organisation that uses one. */
export type FreeBasis =
  | { readonly kind: 'operator' }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'tests' };

/**
 * Finds why an organisation has free reads: the operator has set its tier, or it has proven a domain that has given none to another organisation; outside
 * production, also a domain of tests. Undefined if it has none: one mailbox has any number of addresses, and could have as many organisations.
 */
export async function findFreeBasis(
  services: Pick<Services, 'config'>,
  db: Reader,
  org_id: string,
): Promise<FreeBasis | undefined> {
  if (await isTierSet(db, org_id)) return { kind: 'operator' };
  const claims = await listDomainClaims(db, org_id);
  const proven = claims.filter(({ verified_at }) => verified_at !== null);
  const domains = proven.map((claim) => findRegistrableDomain(claim.domain));
  const taken = new Set(await listTakenDomains(db, domains, org_id));
  const domain = domains.find((each) => !taken.has(each));
  if (domain !== undefined) return { kind: 'domain', domain };
  if (services.config.production) return undefined;
  const emails = await listAdministratorEmails(db, org_id);
  const known = [...emails.map(readMailDomain), ...claims.map((claim) => claim.domain)];
  return known.some((each) => isDomainOfTests(services, each)) ? { kind: 'tests' } : undefined;
}

import { findKnownOwner } from '#modules/organisations/org-users';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { listTakenDomains } from '../store-free-domains.ts';

/** Why an organisation has free reads. Those of a domain are given once, to the first organisation that uses one. */
export type FreeBasis =
  | { readonly kind: 'operator' }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'tests' };

/** Finds why an organisation has free reads: its owner is known, and no proven domain of it has given them to another organisation. */
export async function findFreeBasis(
  services: Pick<Services, 'config'>,
  db: Reader,
  org_id: string,
): Promise<FreeBasis | undefined> {
  const owner = await findKnownOwner(services, db, org_id);
  if (owner?.kind !== 'domains') return owner;
  const taken = new Set(await listTakenDomains(db, owner.domains, org_id));
  const domain = owner.domains.find((each) => !taken.has(each));
  return domain === undefined ? undefined : { kind: 'domain', domain };
}

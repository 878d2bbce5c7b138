import { createFieldRefusal } from '#lib/refusal.ts';
import { claimDomains, isPublicMailDomain } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';

/** Claims the domains of both protocols, so that a domain keeps its proof while an organisation changes from one to the other. */
export async function claimAllDomains(
  tx: Transaction,
  {
    org_id,
    domains,
    now,
  }: { readonly org_id: string; readonly domains: readonly (readonly string[])[]; readonly now: Date },
): Promise<void> {
  await claimDomains(tx, { org_id, domains: [...new Set(domains.flat())], now });
}

/** @throws Refusal `field_invalid`. */
export async function refusePublicMailDomains(domains: readonly string[]): Promise<void> {
  for (const [index, domain] of domains.entries())
    if (await isPublicMailDomain(domain))
      throw createFieldRefusal(
        'field_invalid',
        `/email_domains/${index}`,
        'must not be the domain of a public email service, where anybody can get an address',
      );
}

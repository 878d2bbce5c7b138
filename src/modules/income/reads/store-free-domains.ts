import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** Those of some domains whose free reads another organisation uses. */
export async function listTakenDomains(
  db: Reader,
  domains: readonly string[],
  org_id: string,
): Promise<readonly string[]> {
  if (domains.length === 0) return [];
  const rows = await db.list(sql<{ domain: string }>`
    select domain from free_read_domains where domain = any(${domains}::text[]) and org_id <> ${org_id}`);
  return rows.map(({ domain }) => domain);
}

/** Gives the free reads of a domain to an organisation, for good. @returns whether it has them, now or since before. */
export async function takeDomain(
  tx: Transaction,
  { domain, org_id, now }: { readonly domain: string; readonly org_id: string; readonly now: Date },
): Promise<boolean> {
  const taken = await tx.run(sql`
    insert into free_read_domains as kept (domain, org_id, taken_at) values (${domain}, ${org_id}, ${now})
    on conflict (domain) do update set org_id = kept.org_id where kept.org_id = ${org_id}`);
  return taken > 0;
}

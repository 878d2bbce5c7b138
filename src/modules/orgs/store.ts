import { sql, type Executor, type Transaction } from '#platform/database.ts';
import type { Organisation, OrganisationTier } from './rules.ts';

/** The organisation of an id, or undefined. */
export function findOrganisation(db: Executor, id: string): Promise<Organisation | undefined> {
  return db.find(sql<Organisation>`
    select id, name, industry, size, tier, headquarters_country, website, created_at from organisations where id = ${id}`);
}

/** Adds an organisation of the lowest tier, E1 Explorer, with nothing but its name. */
export async function insertOrganisation(
  tx: Transaction,
  { id, name, now }: { readonly id: string; readonly name: string; readonly now: Date },
): Promise<void> {
  await tx.run(sql`insert into organisations (id, name, created_at) values (${id}, ${name}, ${now})`);
}

/** Moves an organisation to a tier; how many there were. Compares ids as text, so that what is no id is simply not there. */
export function updateTier(
  db: Executor,
  { id, tier }: { readonly id: string; readonly tier: OrganisationTier },
): Promise<number> {
  return db.run(sql`update organisations set tier = ${tier} where id::text = ${id.toLowerCase()}`);
}

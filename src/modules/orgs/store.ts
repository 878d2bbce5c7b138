import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Organisation, OrganisationTier } from './rules.ts';

/** The organisation of an id, or undefined. */
export function findOrganisation(db: Reader, id: string): Promise<Organisation | undefined> {
  return db.find(sql<Organisation>`
    select id, name, industry, size, tier, headquarters_country, website, created_at from organisations where id = ${id}`);
}

/** The organisation of an id, held against changes of it and of who belongs to it; undefined where there is none. */
export function lockOrganisation(tx: Transaction, id: string): Promise<Organisation | undefined> {
  return tx.find(sql<Organisation>`
    select id, name, industry, size, tier, headquarters_country, website, created_at from organisations where id = ${id} for no key update`);
}

/** Adds an organisation of the lowest tier, E1 Explorer, with nothing but its name. */
export async function insertOrganisation(
  tx: Transaction,
  { id, name, now }: { readonly id: string; readonly name: string; readonly now: Date },
): Promise<void> {
  await tx.run(sql`insert into organisations (id, name, created_at) values (${id}, ${name}, ${now})`);
}

/** Keeps what an organisation tells about itself. */
export async function updateOrganisationProfile(tx: Transaction, organisation: Organisation): Promise<void> {
  const { id, name, industry, size, headquarters_country, website } = organisation;
  await tx.run(sql`
    update organisations set name = ${name}, industry = ${industry}, size = ${size}, headquarters_country = ${headquarters_country},
      website = ${website} where id = ${id}`);
}

/** Moves an organisation to a tier; undefined where there is none. Compares ids as text, so that what is no id is simply not there. */
export function updateTier(
  db: Reader,
  { id, tier }: { readonly id: string; readonly tier: OrganisationTier },
): Promise<Pick<Organisation, 'id'> | undefined> {
  return db.find(sql<Pick<Organisation, 'id'>>`
    update organisations set tier = ${tier} where id::text = ${id.toLowerCase()} returning id`);
}

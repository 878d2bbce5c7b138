import { readOutsideValue } from '#lib/outside-values.ts';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import { organisationResource, type Organisation, type OrganisationTier } from './resource.ts';

const { columns } = organisationResource;

/** The organisation with an id, or undefined. */
export function findOrganisation(db: Reader, id: string): Promise<Organisation | undefined> {
  return db.find(sql<Organisation>`
    select ${columns} from organisations where id = ${id}`);
}

/** Lists those of the organisations that exist. */
export function listOrganisations(db: Reader, ids: readonly string[]): Promise<Organisation[]> {
  return db.list(sql<Organisation>`
    select ${columns} from organisations
    where id = any(${ids}::uuid[])`);
}

/** Locks an organisation against changes of the organisation and of its users; undefined if it does not exist. */
export function lockOrganisation(tx: Transaction, id: string): Promise<Organisation | undefined> {
  return tx.find(sql<Organisation>`
    select ${columns} from organisations where id = ${id} for no key update`);
}

/** Adds an organisation with a name only, in the lowest tier, E1 Explorer. */
export async function insertOrganisation(
  tx: Transaction,
  {
    id,
    name,
    is_synthetic = false,
    now,
  }: { readonly id: string; readonly name: string; readonly is_synthetic?: boolean; readonly now: Date },
): Promise<void> {
  await tx.run(
    sql`insert into organisations (id, name, is_synthetic, created_at) values (${id}, ${name}, ${is_synthetic}, ${now})`,
  );
}

/** Locks the synthetic organisations. @returns their ids. */
export async function lockSyntheticOrganisations(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.list(
    sql<{ id: string }>`select id from organisations where is_synthetic order by id for update`,
  );
  return rows.map(({ id }) => id);
}

/** Deletes an organisation. All rows that refer to it must be deleted first. */
export async function deleteOrganisation(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`delete from organisations where id = ${id}`);
}

/** Stores the fields that an organisation sets itself. */
export function updateOrganisationProfile(tx: Transaction, organisation: Organisation): void {
  void tx.runAhead(
    sql`update organisations set ${organisationResource.update(organisation)} where id = ${organisation.id}`,
  );
}

/** Sets an organisation's tier; undefined if it does not exist. Compares ids as text, so that a malformed id counts as not found. */
export function updateTier(
  db: Reader,
  { id, tier }: { readonly id: string; readonly tier: OrganisationTier },
): Promise<Pick<Organisation, 'id'> | undefined> {
  return db.find(sql<Pick<Organisation, 'id'>>`
    update organisations set tier = ${tier} where id::text = ${readOutsideValue('id', id)} returning id`);
}

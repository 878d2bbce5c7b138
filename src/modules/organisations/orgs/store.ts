import { readOutsideValue } from '#lib/outside-values.ts';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import { computeNameSkeleton } from '#lib/text/look-alikes.ts';
import { organisationResource, type Organisation, type OrganisationTier } from './resource.ts';

const { columns } = organisationResource;

/** The organisation with an id, or undefined. */
export function findOrganisation(db: Reader, id: string): Promise<Organisation | undefined> {
  return db.find(sql<Organisation>`
    select ${columns} from organisations where id = ${id}`);
}

/** Whether an organisation exists. Compares ids as text, so that a malformed id counts as not found. */
export async function hasOrganisation(db: Reader, id: string): Promise<boolean> {
  const found = await db.find(
    sql<Pick<Organisation, 'id'>>`select id from organisations where id::text = ${id}`,
  );
  return found !== undefined;
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
  const name_skeleton = computeNameSkeleton(name);
  await tx.run(sql`
    insert into organisations (id, name, name_skeleton, is_synthetic, created_at)
    values (${id}, ${name}, ${name_skeleton}, ${is_synthetic}, ${now})`);
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
  const name_skeleton = computeNameSkeleton(organisation.name);
  void tx.runAhead(sql`
    update organisations set ${organisationResource.update(organisation)}, name_skeleton = ${name_skeleton}
    where id = ${organisation.id}`);
}

/** Stores what a reader sees in an organisation's name. */
export async function updateNameSkeleton(
  tx: Transaction,
  { id, name }: Pick<Organisation, 'id' | 'name'>,
): Promise<void> {
  await tx.run(sql`update organisations set name_skeleton = ${computeNameSkeleton(name)} where id = ${id}`);
}

/** Whether the operator has set the tier of an organisation, even to the lowest. */
export async function isTierSet(db: Reader, id: string): Promise<boolean> {
  const found = await db.find(sql<Pick<Organisation, 'id'>>`
    select id from organisations where id = ${id} and tier_set_at is not null`);
  return found !== undefined;
}

/** Sets an organisation's tier; undefined if it does not exist. Compares ids as text, so that a malformed id counts as not found. */
export function updateTier(
  db: Reader,
  { id, tier, now }: { readonly id: string; readonly tier: OrganisationTier; readonly now: Date },
): Promise<Pick<Organisation, 'id'> | undefined> {
  return db.find(sql<Pick<Organisation, 'id'>>`
    update organisations set tier = ${tier}, tier_set_at = coalesce(tier_set_at, ${now})
    where id::text = ${readOutsideValue('id', id)} returning id`);
}

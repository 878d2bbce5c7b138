import {
  buildPrefixCondition,
  emptySql,
  sql,
  type Reader,
  type Statement,
} from '#platform/database/database.ts';
import { organisationResource, type Organisation, type OrganisationTier } from './resource.ts';

/** What the operator searches for. Without any field, all organisations. */
export type OrganisationSearch = {
  /** The beginning of a name. */
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  readonly tier?: OrganisationTier | undefined;
  readonly suspended?: boolean | undefined;
};

/** A place in the list, which is in the order of names. */
export type OrganisationPlace = readonly [name: string, id: string];

type Found = Organisation & { readonly name_key: string };

/** Lists the organisations of a search in the order of names. @param after The last one of the previous page. */
export function listFoundOrganisations(
  db: Reader,
  search: OrganisationSearch,
  after: OrganisationPlace | undefined,
  limit: number,
): Promise<Found[]> {
  const further = after
    ? sql`and (lower(name) collate "C", id) > (${after[0]}, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<Found>`
    select ${organisationResource.columns}, lower(name) as name_key from organisations
    where true ${buildConditions(search)} ${further} order by lower(name) collate "C", id limit ${limit}`);
}

/** Counts the organisations of a search. */
export function countFoundOrganisations(db: Reader, search: OrganisationSearch): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from organisations where true ${buildConditions(search)}`,
  );
}

function buildConditions({ name, id, tier, suspended }: OrganisationSearch): Statement {
  return sql`
    ${name === undefined ? emptySql : sql`and ${buildPrefixCondition(sql`name`, name)}`}
    ${id === undefined ? emptySql : sql`and id = ${id}`}
    ${tier === undefined ? emptySql : sql`and tier = ${tier}`}
    ${suspended === undefined ? emptySql : suspended ? sql`and suspended_at is not null` : sql`and suspended_at is null`}`;
}

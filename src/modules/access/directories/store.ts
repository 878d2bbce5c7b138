import {
  emptySql,
  findBrokenConstraint,
  sql,
  type Reader,
  type Statement,
  type Transaction,
} from '#platform/database/database.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { Refusal } from '#lib/refusal.ts';
import { isUuid } from '#lib/text/is-uuid.ts';
import type { UserFilter } from './filter.ts';
import type { DirectoryUser } from './rules.ts';

const selectUsers = sql`
  select org_users.id, email, display_name, role, suspended_at, created_at, external_id, deactivated_at, changed_at
  from org_users left join directory_users on directory_users.user_id = org_users.id and directory_users.org_id = org_users.org_id`;

/** The user of an organisation with an id; undefined for others, for a user who was removed, and for text that is no id. */
export function findDirectoryUser(
  db: Reader,
  { id, org_id }: { readonly id: string; readonly org_id: string },
): Promise<DirectoryUser | undefined> {
  if (!isUuid(id)) return Promise.resolve(undefined);
  return db.find(
    sql<DirectoryUser>`${selectUsers} where org_users.org_id = ${org_id} and org_users.id = ${id}`,
  );
}

/** The place of a user in the list: when the account was created (ISO 8601), and the id. */
export type UserPlace = readonly [created_at: string, id: string];

/** Where a page begins: after a user, and further on by a number of them. */
export type PageStart = { readonly after: UserPlace | undefined; readonly skipped: number };

type Listed = { readonly org_id: string; readonly filter: UserFilter };

/** Lists users of an organisation, the oldest accounts first, so that a new one does not move the others. */
export function listDirectoryUsers(
  db: Reader,
  listed: Listed,
  { after, skipped }: PageStart,
  limit: number,
): Promise<DirectoryUser[]> {
  const from = after
    ? sql`and (created_at, org_users.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<DirectoryUser>`
    ${selectUsers} where ${matchFilter(listed)} ${from} order by created_at, org_users.id limit ${limit} offset ${skipped}`);
}

/** Counts the users that a filter selects. */
export function countDirectoryUsers(db: Reader, listed: Listed): Promise<number> {
  // PostgreSQL leaves the join out unless the filter needs it, because it adds no row.
  return db.count(sql<{ count: number }>`
    select count(*) from org_users
    left join directory_users on directory_users.user_id = org_users.id and directory_users.org_id = org_users.org_id
    where ${matchFilter(listed)}`);
}

function matchFilter({ org_id, filter }: Listed): Statement {
  const { id, user_name, external_id, active } = filter;
  return sql`org_users.org_id = ${org_id} ${id === undefined ? emptySql : sql`and org_users.id = ${isUuid(id) ? id : nil_uuid}`}
    ${user_name === undefined ? emptySql : sql`and email = ${user_name}`}
    ${external_id === undefined ? emptySql : sql`and directory_users.org_id = ${org_id} and external_id = ${external_id}`}
    ${active === undefined ? emptySql : active ? sql`and suspended_at is null` : sql`and suspended_at is not null`}`;
}

/** What the directory says about a user. */
export type DirectoryFacts = Pick<DirectoryUser, 'external_id' | 'deactivated_at'> & {
  readonly user_id: string;
  readonly org_id: string;
  readonly changed_at: Date;
};

/**
 * Stores what the directory says about a user. The id of a user who was removed is free again.
 *
 * @throws Refusal `directory_user_exists` if another user has the external id.
 */
export async function upsertDirectoryFacts(tx: Transaction, facts: DirectoryFacts): Promise<void> {
  const { user_id, org_id, external_id, deactivated_at, changed_at } = facts;
  await tx.run(sql`
    delete from directory_users where org_id = ${org_id} and external_id = ${external_id}
      and not exists (select from org_users where org_users.id = directory_users.user_id and org_users.org_id = directory_users.org_id)`);
  const statement = sql`
    insert into directory_users (user_id, org_id, external_id, deactivated_at, changed_at)
    values (${user_id}, ${org_id}, ${external_id}, ${deactivated_at}, ${changed_at})
    on conflict (user_id) do update set
      external_id = excluded.external_id, deactivated_at = excluded.deactivated_at, changed_at = excluded.changed_at`;
  await tx.run(statement).catch((error: unknown) => {
    if (findBrokenConstraint(error) === 'directory_users_by_external_id')
      throw new Refusal('directory_user_exists', {
        detail: 'Another user of the organisation has this externalId.',
      });
    throw error;
  });
}

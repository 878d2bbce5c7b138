import type { OrgRole } from '#lib/caller.ts';
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
import type { GroupFilter } from '../filter.ts';
import type { DirectoryGroup } from './rules.ts';

const columns = sql`id, display_name, external_id, role, version, created_at, changed_at`;
const selectGroups = sql`select ${columns} from directory_groups`;

type GroupKey = { readonly id: string; readonly org_id: string };

/** The group of an organisation with an id; undefined for others, and for text that is no id. */
export function findGroup(db: Reader, { id, org_id }: GroupKey): Promise<DirectoryGroup | undefined> {
  if (!isUuid(id)) return Promise.resolve(undefined);
  return db.find(sql<DirectoryGroup>`${selectGroups} where org_id = ${org_id} and id = ${id}`);
}

type Listed = { readonly org_id: string; readonly filter: GroupFilter };

/** Lists groups of an organisation, the oldest first. It has at most 200. */
export function listGroups(
  db: Reader,
  listed: Listed,
  { limit, skipped }: { readonly limit: number; readonly skipped: number },
): Promise<DirectoryGroup[]> {
  return db.list(sql<DirectoryGroup>`
    ${selectGroups} where ${matchGroups(listed)} order by created_at, id limit ${limit} offset ${skipped}`);
}

export function countGroups(db: Reader, listed: Listed): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from directory_groups where ${matchGroups(listed)}`);
}

function matchGroups({ org_id, filter: { id, display_name, external_id } }: Listed): Statement {
  return sql`org_id = ${org_id} ${id === undefined ? emptySql : sql`and id = ${isUuid(id) ? id : nil_uuid}`}
    ${display_name === undefined ? emptySql : sql`and lower(display_name) = lower(${display_name})`}
    ${external_id === undefined ? emptySql : sql`and external_id = ${external_id}`}`;
}

/** The place of a group in the list of the console: when it was created (ISO 8601), and the id. */
export type GroupPlace = readonly [created_at: string, id: string];

/** A group, and how many users are in it. */
export type CountedGroup = DirectoryGroup & { readonly members: number };

/** Lists groups with the number of their members, the oldest first. */
export function listCountedGroups(
  db: Reader,
  org_id: string,
  after: GroupPlace | undefined,
  limit: number,
): Promise<CountedGroup[]> {
  const from = after ? sql`and (created_at, id) > (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<CountedGroup>`
    select ${columns},
      (select count(*)::int from directory_members join org_users on org_users.id = user_id where group_id = directory_groups.id) as members
    from directory_groups where org_id = ${org_id} ${from} order by created_at, id limit ${limit}`);
}

/**
 * Stores a group.
 *
 * @throws Refusal `directory_user_exists` if another group has the name.
 */
export async function upsertGroup(tx: Transaction, org_id: string, group: DirectoryGroup): Promise<void> {
  const { id, display_name, external_id, role, version, created_at, changed_at } = group;
  await tx
    .run(
      sql`
    insert into directory_groups (id, org_id, display_name, external_id, role, version, created_at, changed_at)
    values (${id}, ${org_id}, ${display_name}, ${external_id}, ${role}, ${version}, ${created_at}, ${changed_at})
    on conflict (id) do update set display_name = excluded.display_name, external_id = excluded.external_id,
      role = excluded.role, version = excluded.version, changed_at = excluded.changed_at`,
    )
    .catch((error: unknown) => {
      if (findBrokenConstraint(error) === 'directory_groups_by_name')
        throw new Refusal('directory_user_exists', { detail: 'Another group has this displayName.' });
      throw error;
    });
}

export async function deleteGroup(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`delete from directory_groups where id = ${id}`);
}

/** A member of a group. */
export type GroupMember = { readonly id: string; readonly email: string };

/** Lists the members of a group who are users of the organisation. */
export function listMembers(db: Reader, group_id: string, org_id: string): Promise<GroupMember[]> {
  return db.list(sql<GroupMember>`
    select org_users.id, email from directory_members join org_users on org_users.id = user_id
    where group_id = ${group_id} and org_id = ${org_id} order by org_users.id`);
}

/** Adds users to a group and removes others. */
export async function updateMembers(
  tx: Transaction,
  group_id: string,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    delete from directory_members where group_id = ${group_id} and user_id = any(${removed}::uuid[])`);
  await tx.run(sql`
    insert into directory_members (group_id, user_id) select ${group_id}, user_id
    from unnest(${added}::uuid[]) as added (user_id) on conflict do nothing`);
}

/** Lists those of the ids that are of users of the organisation. */
export async function listKnownUsers(
  db: Reader,
  org_id: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ id: string }>`
    select id from org_users where org_id = ${org_id} and id = any(${ids.filter(isUuid)}::uuid[])`);
  return rows.map(({ id }) => id);
}

/** A user with the roles that the user's groups give. */
export type GivenRoles = { readonly id: string; readonly role: OrgRole; readonly given: readonly OrgRole[] };

/** Lists the users with the roles that their groups give. */
export function listGivenRoles(db: Reader, org_id: string, ids: readonly string[]): Promise<GivenRoles[]> {
  return db.list(sql<GivenRoles>`
    select org_users.id, org_users.role,
      array(select directory_groups.role from directory_members join directory_groups on directory_groups.id = group_id
        where user_id = org_users.id and directory_groups.role is not null) as given
    from org_users where org_users.org_id = ${org_id} and org_users.id = any(${ids}::uuid[]) order by org_users.id`);
}

import type { Role } from '#lib/caller.ts';
import { last_character } from '#lib/text/code-points.ts';
import type { NamePlace } from '#modules/people/members';
import {
  buildPrefixCondition,
  emptySql,
  sql,
  type Reader,
  type Statement,
} from '#platform/database/database.ts';

/** An account as the operator sees it. A member's name is stored with the member. */
export type AccountRow = {
  readonly id: string;
  readonly email: string | null;
  readonly handle: string | null;
  /** The address, or else an @ and the handle. */
  readonly login_name: string;
  readonly role: Role;
  readonly member_id: string | null;
  readonly org_id: string | null;
  readonly display_name: string | null;
  readonly email_verified: boolean;
  readonly mfa_enabled: boolean;
  readonly suspended_at: Date | null;
  readonly created_at: Date;
  readonly last_login: Date;
};

/** The ids that a search looks at: a user or a member with the first one, and the members from the first to the last. */
export type IdRange = { readonly first: string; readonly last: string };

/** A search by anything but the name. */
export type AccountSearch = {
  /** The beginning of an address or, for accounts without one, of an @ and the handle. */
  readonly email?: string | undefined;
  readonly org_id?: string | undefined;
  readonly suspended?: boolean | undefined;
  readonly ids: IdRange | undefined;
};

const columns = sql`
  id, email, handle, coalesce(email, '@' || handle) as login_name, role, member_id, org_id, display_name, email_verified_at is not null as email_verified,
  exists (select from authenticators where user_id = users.id and enabled_at is not null) as mfa_enabled,
  suspended_at, created_at, last_login`;

/** The account with an id, unless it was removed. */
export function findAccountRow(db: Reader, id: string): Promise<AccountRow | undefined> {
  return db.find(sql<AccountRow>`select ${columns} from users where id = ${id} and removed_at is null`);
}

/** Lists the accounts of a search by anything but the name, in the order of what their users log in with. @param after The last name of the previous page. */
export function listAccounts(
  db: Reader,
  search: AccountSearch,
  after: string | undefined,
  limit: number,
): Promise<AccountRow[]> {
  const further =
    after === undefined ? emptySql : sql`and coalesce(email, '@' || handle) collate "C" > ${after}`;
  return db.list(sql<AccountRow>`
    select ${columns} from users where removed_at is null ${buildConditions(search)} ${further}
    order by coalesce(email, '@' || handle) collate "C" limit ${limit}`);
}

/** Counts the accounts of a search by anything but the name, at most `limit`. */
export function countAccounts(db: Reader, search: AccountSearch, limit: number): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from (
      select from users where removed_at is null ${buildConditions(search)} limit ${limit}) as found`);
}

function buildConditions({ email, ids, org_id, suspended }: AccountSearch): Statement {
  return sql`
    ${email === undefined ? emptySql : buildAddressCondition(email)}
    ${ids === undefined ? emptySql : buildIdCondition(ids)}
    ${org_id === undefined ? emptySql : sql`and org_id = ${org_id}`}
    ${suspended === undefined ? emptySql : suspended ? sql`and suspended_at is not null` : sql`and suspended_at is null`}`;
}

function buildAddressCondition(email: string): Statement {
  const start = email.toLowerCase();
  const name = sql`coalesce(email, '@' || handle) collate "C"`;
  return sql`and ${name} >= ${start} and ${name} < ${`${start}${last_character}`}`;
}

function buildIdCondition({ first, last }: IdRange): Statement {
  return sql`and (users.id = ${first}::uuid or member_id between ${first}::uuid and ${last}::uuid)`;
}

/** Lists the accounts that are not members and whose name begins with a text, in the order of names. */
export function listAccountsByName(
  db: Reader,
  start: string,
  after: NamePlace | undefined,
  limit: number,
): Promise<(AccountRow & { readonly name: string })[]> {
  const further = after
    ? sql`and (lower(display_name) collate "C", id) > (${after[0]}, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<AccountRow & { name: string }>`
    select ${columns}, lower(display_name) as name from users
    where ${buildNameCondition(start)} ${further}
    order by lower(display_name) collate "C", id limit ${limit}`);
}

/** Counts the accounts that are not members and whose name begins with a text, at most `limit`. */
export function countAccountsByName(db: Reader, start: string, limit: number): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from (
      select from users where ${buildNameCondition(start)} limit ${limit}) as found`);
}

function buildNameCondition(start: string): Statement {
  return sql`removed_at is null and display_name is not null and ${buildPrefixCondition(sql`display_name`, start)}`;
}

/** Lists the accounts of these members. */
export function listAccountsOfMembers(db: Reader, member_ids: readonly string[]): Promise<AccountRow[]> {
  return db.list(sql<AccountRow>`
    select ${columns} from users where member_id = any(${member_ids}::uuid[]) and removed_at is null`);
}

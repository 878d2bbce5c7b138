import {
  buildPrefixCondition,
  emptySql,
  sql,
  type Reader,
  type Transaction,
} from '#platform/database/database.ts';
import { memberResource, type Member } from './resource.ts';

const { columns } = memberResource;

/** The display name of a member without a name. The local part of the email address would often reveal a real name. */
export const unnamedMember = 'Member';

/** The member with an id, or undefined. */
export function findMember(db: Reader, id: string): Promise<Member | undefined> {
  return db.find(sql<Member>`select ${columns} from members where id = ${id}`);
}

/**
 * The member with an id, locked against concurrent changes, and against new rows of other transactions that refer to the member. So a
 * transaction that has added such a row, for example a match, knows that the member does not change until it ends.
 */
export function lockMember(tx: Transaction, id: string): Promise<Member | undefined> {
  return tx.find(sql<Member>`select ${columns} from members where id = ${id} for update`);
}

/** Counts the members. */
export function countMembers(db: Reader): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from members`);
}

/** The member with an id, locked in share mode: the member does not change until the transaction ends. */
export function lockMemberShared(tx: Transaction, id: string): Promise<Member | undefined> {
  return tx.find(sql<Member>`select ${columns} from members where id = ${id} for share`);
}

/** Lists those of the members that exist. */
export function listMembers(db: Reader, ids: readonly string[]): Promise<Member[]> {
  return db.list(sql<Member>`select ${columns} from members where id = any(${ids}::uuid[])`);
}

/** A place in a list by name. */
export type NamePlace = readonly [name: string, id: string];

/**
 * Lists members whose name begins with a text, without regard to case, in the order of names.
 *
 * @param after The last one of the previous page.
 */
export function listMembersByName(
  db: Reader,
  start: string,
  after: NamePlace | undefined,
  limit: number,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const further = after
    ? sql`and (lower(display_name) collate "C", id) > (${after[0]}, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<{ id: string; name: string }>`
    select id, lower(display_name) as name from members
    where ${buildPrefixCondition(sql`display_name`, start)} ${further}
    order by lower(display_name) collate "C", id limit ${limit}`);
}

/** Counts the members whose name begins with a text, at most `limit`. */
export function countMembersByName(db: Reader, start: string, limit: number): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from (
      select id from members where ${buildPrefixCondition(sql`display_name`, start)} limit ${limit}) as found`);
}

/** Lists those of the members that are deployed. */
export async function listDeployedMembers(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.list(
    sql<{ id: string }>`select id from deployed_members where id = any(${ids}::uuid[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Lists those of the members that exist and are not marked for deletion. */
export async function listRemainingMembers(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.list(
    sql<{
      id: string;
    }>`select id from members where id = any(${ids}::uuid[]) and account_status <> 'pending_deletion'`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Locks a member in share mode if the member is deployed: the member stays deployed until the transaction ends. Returns whether it is. */
export async function lockDeployedMember(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.run(sql`select from deployed_members where id = ${id} for share`)) > 0;
}

/** Adds an active member with an empty profile, at level 1. */
export async function insertMember(
  tx: Transaction,
  { id, display_name, now }: { readonly id: string; readonly display_name: string; readonly now: Date },
): Promise<void> {
  await tx.run(sql`insert into members ${memberResource.insert({ id, display_name, created_at: now })}`);
}

/** Adds a member whom nobody has claimed: without an account, a name and an address. */
export async function insertUnclaimedMember(
  tx: Transaction,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  const unclaimed = { id, display_name: unnamedMember, is_unclaimed: true, created_at: now };
  await tx.run(sql`insert into members ${memberResource.insert(unclaimed)}`);
}

/** Records that the member has an account from now on. */
export async function claimMember(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`update members set is_unclaimed = false where id = ${id}`);
}

/** Gives a member another name. */
export async function updateDisplayName(tx: Transaction, id: string, display_name: string): Promise<void> {
  await tx.run(sql`update members set display_name = ${display_name} where id = ${id}`);
}

/** Updates every field of a member that can change, except the name. */
export function updateMember(tx: Transaction, member: Member): void {
  void tx.runAhead(sql`update members set ${memberResource.update(member)} where id = ${member.id}`);
}

/** Deletes a member. All rows that refer to the member must be deleted first. */
export async function deleteMember(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`delete from members where id = ${id}`);
}

import type { Role } from '#lib/caller.ts';
import type { Micros } from '#lib/money.ts';
import { emptySql, sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Grant, Terms } from './rules.ts';

const columns = sql`agent_grants.id, agent_grants.user_id, client_id, client_name, redirect_host, tools, refused_tools, spend_cap_micros, spent_micros,
  agent_grants.created_at, last_used_at, scope_asked_at, expires_at`;

/** Amounts are read as numbers: the driver refuses those that a number cannot carry. */
type GrantRow = Omit<Grant, 'spend_cap' | 'spent'> & {
  readonly spend_cap_micros: number | null;
  readonly spent_micros: number;
};

/** A suspension of an organisation stops what its users have allowed, until it is lifted. */
const hasOpenOrganisation = sql`not exists (
  select from suspended_organisations where suspended_organisations.id = open_accounts.org_id)`;

/** A new password ends what was allowed before it; so does the end or a suspension of the account or its organisation. */
const open = sql`from agent_grants join open_accounts on open_accounts.user_id = agent_grants.user_id
  where revoked_at is null and (password_changed_at is null or consented_at >= password_changed_at) and ${hasOpenOrganisation}`;

const hasOpenAccount = sql`exists (
  select from open_accounts where open_accounts.user_id = agent_grants.user_id
    and (password_changed_at is null or consented_at >= password_changed_at) and ${hasOpenOrganisation})`;

/** Whom a grant lets an agent act for. */
export type GrantHolder = {
  readonly role: Role;
  readonly member_id: string | null;
  readonly org_id: string | null;
};

/** The grant with an id, and its user; undefined if it was revoked or has expired, or if its user cannot log in. */
export async function findOpenGrant(
  db: Reader,
  id: string,
  now: Date,
): Promise<(Grant & GrantHolder) | undefined> {
  const row = await db.find(sql<GrantRow & GrantHolder>`
    select ${columns}, role, member_id, org_id ${open} and agent_grants.id = ${id} and expires_at > ${now}`);
  return row && toGrant(row);
}

/** Locks an open grant of a user against changes. */
export async function lockOwnGrant(
  tx: Transaction,
  { id, user_id, now }: { readonly id: string; readonly user_id: string; readonly now: Date },
): Promise<Grant | undefined> {
  const row = await tx.find(sql<GrantRow>`
    select ${columns} from agent_grants
    where id = ${id} and user_id = ${user_id} and revoked_at is null and expires_at > ${now} and ${hasOpenAccount}
    for no key update`);
  return row && toGrant(row);
}

/** Locks the grant of a user for a client that is not revoked, even if it has ended in another way. `is_open` says whether it is open. */
export async function lockGrantOfClient(
  tx: Transaction,
  { user_id, client_id, now }: Pick<Grant, 'user_id' | 'client_id'> & { readonly now: Date },
): Promise<(Grant & { readonly is_open: boolean }) | undefined> {
  const row = await tx.find(sql<GrantRow & { is_open: boolean }>`
    select ${columns}, expires_at > ${now} and ${hasOpenAccount} as is_open
    from agent_grants
    where user_id = ${user_id} and client_id = ${client_id} and revoked_at is null for no key update`);
  return row && toGrant(row);
}

export type GrantPlace = readonly [created_at: string, id: string];

/** Lists the open grants of a user, newest first. */
export async function listOpenGrants(
  db: Reader,
  { user_id, now }: { readonly user_id: string; readonly now: Date },
  after: GrantPlace | undefined,
  limit: number,
): Promise<Grant[]> {
  const from = after
    ? sql`and (agent_grants.created_at, agent_grants.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : emptySql;
  const rows = await db.list(sql<GrantRow>`
    select ${columns} ${open} and agent_grants.user_id = ${user_id} and expires_at > ${now} ${from}
    order by agent_grants.created_at desc, agent_grants.id desc limit ${limit}`);
  return rows.map(toGrant);
}

export function countOpenGrants(
  db: Reader,
  { user_id, now }: { readonly user_id: string; readonly now: Date },
): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) ${open} and agent_grants.user_id = ${user_id} and expires_at > ${now}`);
}

export async function insertGrant(
  tx: Transaction,
  grant: Omit<Grant, 'spent' | 'last_used_at' | 'scope_asked_at'>,
): Promise<void> {
  const { id, user_id, client_id, client_name, redirect_host, tools, refused_tools, spend_cap } = grant;
  await tx.run(sql`
    insert into agent_grants (id, user_id, client_id, client_name, redirect_host, tools, refused_tools, spend_cap_micros,
      created_at, consented_at, expires_at)
    values (${id}, ${user_id}, ${client_id}, ${client_name}, ${redirect_host}, ${tools}, ${refused_tools}, ${toBigint(spend_cap)},
      ${grant.created_at}, ${grant.created_at}, ${grant.expires_at})`);
}

/** Replaces what a grant allows, after a further consent of its user. */
export async function renewGrant(
  tx: Transaction,
  grant: Pick<Grant, 'id' | 'client_name' | 'redirect_host' | 'expires_at'> & Terms & { readonly now: Date },
): Promise<void> {
  const { id, client_name, redirect_host, tools, refused_tools, spend_cap, expires_at, now } = grant;
  await tx.run(sql`
    update agent_grants set client_name = ${client_name}, redirect_host = ${redirect_host}, tools = ${tools}, refused_tools = ${refused_tools},
      spend_cap_micros = ${toBigint(spend_cap)}, expires_at = ${expires_at}, consented_at = ${now}, scope_asked_at = null
    where id = ${id}`);
}

/** Stores what a grant allows from now on. The caller must hold its lock. */
export async function updateTerms(
  tx: Transaction,
  { id, tools, refused_tools, spend_cap }: Pick<Grant, 'id'> & Terms,
): Promise<void> {
  await tx.run(sql`
    update agent_grants set tools = ${tools}, refused_tools = ${refused_tools}, spend_cap_micros = ${toBigint(spend_cap)} where id = ${id}`);
}

/** Ends a grant. @returns how many have ended. */
export function endGrant(tx: Transaction, id: string, now: Date): Promise<number> {
  return tx.run(sql`update agent_grants set revoked_at = ${now} where id = ${id} and revoked_at is null`);
}

/** Ends all grants of a user. @returns their ids. */
export async function endGrantsOfUser(
  tx: Transaction,
  user_id: string,
  now: Date,
): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    update agent_grants set revoked_at = ${now} where user_id = ${user_id} and revoked_at is null returning id`);
  return rows.map(({ id }) => id);
}

/** Stores when a grant was last used. */
export async function updateLastUse(db: Executor, id: string, now: Date): Promise<void> {
  await db.run(sql`
    update agent_grants set last_used_at = ${now} where id = ${id} and (last_used_at is null or last_used_at < ${now})`);
}

/** Stores when an agent last had to ask for a further tool. */
export async function setScopeAsked(db: Executor, id: string, now: Date): Promise<void> {
  await db.run(sql`update agent_grants set scope_asked_at = ${now} where id = ${id}`);
}

/** Adds an amount to what a grant has spent, unless it would exceed the cap. @returns how many rows have changed: 0 or 1. */
export function addSpend(tx: Transaction, id: string, amount: Micros, now: Date): Promise<number> {
  return tx.run(sql`
    update agent_grants set spent_micros = spent_micros + ${String(amount)}::bigint
    where id = ${id} and revoked_at is null and expires_at > ${now} and spent_micros + ${String(amount)}::bigint <= spend_cap_micros`);
}

/** Takes an amount off what a grant has spent. */
export async function subtractSpend(tx: Transaction, id: string, amount: Micros): Promise<void> {
  await tx.run(sql`
    update agent_grants set spent_micros = greatest(spent_micros - ${String(amount)}::bigint, 0) where id = ${id}`);
}

/** Deletes at most `limit` grants that ended before a time. @returns how many. */
export function deleteEndedGrants(db: Executor, horizon: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from agent_grants where id in (
      select id from agent_grants where least(expires_at, revoked_at) < ${horizon}
      order by least(expires_at, revoked_at) limit ${limit} for update skip locked)`);
}

type Rows = Readonly<Record<string, unknown>>[];

/** Lists everything that users allowed agents, for an export of personal data. */
export function listGrantsOfUsers(db: Reader, user_ids: readonly string[]): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select id, client_id, client_name, redirect_host, tools, refused_tools, spend_cap_micros, spent_micros, created_at, consented_at, last_used_at,
      scope_asked_at, expires_at, revoked_at
    from agent_grants where user_id = any(${user_ids}::uuid[]) order by created_at, id`);
}

/** Deletes everything that users allowed agents. */
export async function deleteGrantsOfUsers(tx: Transaction, user_ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from agent_grants where user_id = any(${user_ids}::uuid[])`);
}

function toGrant<Row extends GrantRow>({
  spend_cap_micros,
  spent_micros,
  ...row
}: Row): Omit<Row, 'spend_cap_micros' | 'spent_micros'> & Pick<Grant, 'spend_cap' | 'spent'> {
  const spend_cap = spend_cap_micros === null ? null : BigInt(spend_cap_micros);
  return { ...row, spend_cap, spent: BigInt(spent_micros) };
}

function toBigint(amount: Micros | null): string | null {
  return amount === null ? null : String(amount);
}

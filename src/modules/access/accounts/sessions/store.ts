import {
  emptySql,
  sql,
  type Executor,
  type Reader,
  type Transaction,
  type Change,
  type ChangePlace,
} from '#platform/database/database.ts';
import type { PresentedRefreshToken } from '../rules.ts';
import type { User } from '../store.ts';

/** A logged-in device: a family of refresh tokens, each of which replaces the previous one. */
export type Session = {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly address: string;
  readonly user_agent: string | undefined;
  readonly by_mfa: boolean;
};

export async function insertSession(tx: Transaction, session: Session): Promise<void> {
  const { id, user_id, created_at, expires_at, address, user_agent, by_mfa } = session;
  await tx.run(sql`
    insert into sessions (id, user_id, created_at, last_used_at, expires_at, address, user_agent, by_mfa)
    values (
      ${id}, ${user_id}, ${created_at}, ${created_at}, ${expires_at}, ${address}, ${user_agent ?? null}, ${by_mfa}
    )`);
}

export type RefreshToken = {
  readonly token_hash: Buffer;
  readonly session_id: string;
  readonly issued_at: Date;
  readonly expires_at: Date;
};

export async function insertRefreshToken(tx: Transaction, token: RefreshToken): Promise<void> {
  const { token_hash, session_id, issued_at, expires_at } = token;
  await tx.run(sql`
    insert into refresh_tokens (token_hash, session_id, issued_at, expires_at)
    values (${token_hash}, ${session_id}, ${issued_at}, ${expires_at})`);
}

/** A refresh token with its session and its user. */
export type LockedRefreshToken = User &
  PresentedRefreshToken & {
    readonly session_id: string;
    readonly authenticated_at: Date;
    readonly last_used_at: Date;
    readonly session_created_at: Date;
    readonly by_mfa: boolean;
  };

/** The refresh token with a hash, locked together with its session, so that concurrent uses of it run one after the other. */
export function lockRefreshToken(
  tx: Transaction,
  token_hash: Buffer,
): Promise<LockedRefreshToken | undefined> {
  return tx.find(sql<LockedRefreshToken>`
    ${selectRefreshToken(token_hash)} for no key update of refresh_tokens, sessions`);
}

/** The refresh token with a hash. */
export function findRefreshToken(db: Reader, token_hash: Buffer): Promise<LockedRefreshToken | undefined> {
  return db.find(sql<LockedRefreshToken>`${selectRefreshToken(token_hash)}`);
}

function selectRefreshToken(token_hash: Buffer) {
  return sql`
    select
      session_id, coalesce(authenticated_at, sessions.created_at) as authenticated_at, last_used_at,
      sessions.created_at as session_created_at, by_mfa,
      refresh_tokens.used_at, refresh_tokens.expires_at, revoked_at, suspended_at,
      users.id, email, handle, role, coalesce(member_id, org_id) as linked_entity_id, users.created_at, last_login
    from refresh_tokens join sessions on sessions.id = session_id join users on users.id = user_id
    where token_hash = ${token_hash}`;
}

/** Extends the life of a refresh token. */
export async function extendRefreshToken(
  tx: Transaction,
  token_hash: Buffer,
  expires_at: Date,
): Promise<void> {
  await tx.run(sql`update refresh_tokens set expires_at = ${expires_at} where token_hash = ${token_hash}`);
}

export async function markRefreshTokenUsed(tx: Transaction, token_hash: Buffer, now: Date): Promise<void> {
  await tx.run(sql`update refresh_tokens set used_at = ${now} where token_hash = ${token_hash}`);
}

/** Records that a session was used, and its new expiry. */
export async function recordSessionUse(
  tx: Transaction,
  id: string,
  now: Date,
  expires_at: Date,
): Promise<void> {
  await tx.run(sql`update sessions set last_used_at = ${now}, expires_at = ${expires_at} where id = ${id}`);
}

/** Records that the user of an open session has proven who they are. @returns the session, or undefined if it has ended. */
export function recordAuthentication(
  tx: Transaction,
  proof: Pick<Session, 'id' | 'user_id' | 'by_mfa'> & { readonly now: Date },
): Promise<Pick<Session, 'created_at' | 'by_mfa'> | undefined> {
  const { id, user_id, by_mfa, now } = proof;
  return tx.find(sql<Pick<Session, 'created_at' | 'by_mfa'>>`
    update sessions set authenticated_at = ${now}, by_mfa = by_mfa or ${by_mfa}
    where id = ${id} and user_id = ${user_id} and revoked_at is null returning created_at, by_mfa`);
}

/** Records that the user of a session has passed MFA. */
export async function recordMfa(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`update sessions set by_mfa = true where id = ${id}`);
}

/** Ends the sessions of a user that have passed MFA. @returns their ids. */
export async function revokeMfaSessions(
  tx: Transaction,
  user_id: string,
  now: Date,
): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    update sessions set revoked_at = ${now} where user_id = ${user_id} and revoked_at is null and by_mfa returning id`);
  return rows.map(({ id }) => id);
}

/** Ends the open sessions of a user beyond the `kept` ones that were used last; the new one stays. @returns the ids of those that it ended. */
export async function revokeExcessSessions(
  tx: Transaction,
  { id, user_id, kept, now }: Pick<Session, 'id' | 'user_id'> & { readonly kept: number; readonly now: Date },
): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    update sessions set revoked_at = ${now} where id in (
      select id from sessions where user_id = ${user_id} and revoked_at is null and expires_at > ${now}
      order by id = ${id} desc, last_used_at desc, created_at desc, id offset ${kept})
    returning id`);
  return rows.map((row) => row.id);
}

/** Ends a session. If it has already ended, the earlier time remains. */
export async function revokeSession(db: Executor, id: string, now: Date): Promise<void> {
  await db.run(sql`update sessions set revoked_at = coalesce(revoked_at, ${now}) where id = ${id}`);
}

/** Ends every session of a user but the kept one, and with it every refresh token. @returns the ids of the sessions that were open. */
export async function revokeSessions(
  tx: Transaction,
  user_id: string,
  now: Date,
  kept_session_id: string | null = null,
): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    update sessions set revoked_at = ${now}
    where user_id = ${user_id} and revoked_at is null and id is distinct from ${kept_session_id}::uuid returning id`);
  return rows.map(({ id }) => id);
}

/** Ends an open session of this user. @returns 1, or 0 if the user has no such session. */
export function revokeOwnSession(
  db: Executor,
  { id, user_id, now }: { readonly id: string; readonly user_id: string; readonly now: Date },
): Promise<number> {
  return db.run(sql`
    update sessions set revoked_at = ${now}
    where id = ${id} and user_id = ${user_id} and revoked_at is null and expires_at > ${now}`);
}

/** A session as its user sees it. */
export type OpenSession = Pick<Session, 'id' | 'created_at' | 'address'> & {
  readonly last_used_at: Date;
  readonly user_agent: string | null;
};

/** The position after which a page of sessions starts: the time (ISO 8601) and id of a session. */
export type SessionPlace = readonly [created_at: string, id: string];

/** The open sessions of a user, newest first. */
export function listOpenSessions(
  db: Reader,
  { user_id, now }: { readonly user_id: string; readonly now: Date },
  after: SessionPlace | undefined,
  limit: number,
): Promise<OpenSession[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<OpenSession>`
    select id, created_at, last_used_at, address, user_agent from sessions
    where user_id = ${user_id} and revoked_at is null and expires_at > ${now} ${from}
    order by created_at desc, id desc limit ${limit}`);
}

export async function countOpenSessions(
  db: Reader,
  { user_id, now }: { readonly user_id: string; readonly now: Date },
): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) from sessions where user_id = ${user_id} and revoked_at is null and expires_at > ${now}`);
  return count;
}

/** The network addresses of a user's newest `limit` sessions, including ended ones. */
export async function listSessionAddresses(
  db: Reader,
  user_id: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ address: string }>`
    select distinct address from (
      select address from sessions where user_id = ${user_id} order by created_at desc limit ${limit}) as newest`);
  return rows.map(({ address }) => address);
}

/** Where a session was started: the network address, and how the client names itself. */
export type SessionOrigin = { readonly address: string; readonly user_agent: string | null };

/** Where a user's newest `limit` sessions were started, including ended ones. */
export function listSessionOrigins(
  db: Reader,
  user_id: string,
  limit: number,
): Promise<readonly SessionOrigin[]> {
  return db.list(sql<SessionOrigin>`
    select distinct address, user_agent from (
      select address, user_agent from sessions where user_id = ${user_id} order by created_at desc limit ${limit}) as newest`);
}

/** The newest `limit` users who were suspended after `since` and still are. */
export function listSuspendedUsers(
  db: Reader,
  since: Date,
  limit: number,
): Promise<{ readonly id: string; readonly member_id: string | null }[]> {
  return db.list(sql<{ id: string; member_id: string | null }>`
    select id, member_id from users where suspended_at > ${since} and removed_at is null order by suspended_at desc limit ${limit}`);
}

/** Deletes at most `limit` rows of each table that expired before `horizon`. @returns how many rows were deleted. */
export async function deleteExpiredRows(db: Executor, horizon: Date, limit: number): Promise<number> {
  const deleted = [
    await db.run(sql`
      delete from refresh_tokens where token_hash in (
        select token_hash from refresh_tokens where expires_at < ${horizon} limit ${limit})`),
    await db.run(sql`
      delete from sessions where id in (
        select id from sessions where expires_at < ${horizon}
          and not exists (select from refresh_tokens where session_id = sessions.id) limit ${limit})`),
    await db.run(sql`
      delete from mailed_tokens where id in (select id from mailed_tokens where expires_at < ${horizon} limit ${limit})`),
    await db.run(sql`
      delete from mfa_tickets where ticket_hash in (
        select ticket_hash from mfa_tickets where expires_at < ${horizon} limit ${limit})`),
  ];
  return deleted.reduce((sum, count) => sum + count, 0);
}

/** Whether a session of the user was used since a time. Sessions note their use once an hour, see `authenticate-browser.ts`. */
export async function hasUsedPagesSince(db: Reader, user_id: string, time: Date): Promise<boolean> {
  const used = await db.find(sql<{ id: string }>`
    select id from sessions where user_id = ${user_id} and last_used_at >= ${time} limit 1`);
  return used !== undefined;
}

/** Lists which sessions ended. A trigger writes it. */
export function listSessionEndings(db: Reader, after: ChangePlace, limit: number): Promise<Change[]> {
  return db.list(sql<Change>`
    select xid::text as xid, session_id as id, ended_at as at from session_endings
    where (xid, session_id) > (${after.xid}::xid8, ${after.id}::uuid) order by session_endings.xid, session_id limit ${limit}`);
}

/** Deletes at most `limit` ends that are older than this, by the clock of the database. @returns how many were deleted. */
export function deleteOldSessionEndings(db: Executor, older_than_s: number, limit: number): Promise<number> {
  return db.run(sql`
    delete from session_endings where (xid, session_id) in (
      select xid, session_id from session_endings
      where ended_at < now() - make_interval(secs => ${older_than_s}::float8) limit ${limit})`);
}

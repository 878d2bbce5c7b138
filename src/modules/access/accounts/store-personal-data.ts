import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

type Rows = Readonly<Record<string, unknown>>[];

/** The accounts of a member. At present a member has exactly one. */
export function listMemberUsers(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select id, email, handle, password_changed_at, role, created_at, last_login, email_verified_at, suspended_at from users where member_id = ${member_id}`);
}

/** Lists the id and the address of each of a member's users. */
export function listMemberAccounts(
  db: Reader,
  member_id: string,
): Promise<{ readonly id: string; readonly email: string | null }[]> {
  return db.list(
    sql<{ id: string; email: string | null }>`select id, email from users where member_id = ${member_id}`,
  );
}

export function listMemberSessions(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select sessions.id, sessions.created_at, authenticated_at, last_used_at, expires_at, revoked_at, address, user_agent
    from sessions join users on users.id = user_id where member_id = ${member_id} order by sessions.created_at, sessions.id`);
}

export function listMemberRefreshTokens(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select session_id, issued_at, refresh_tokens.expires_at, used_at
    from refresh_tokens join sessions on sessions.id = session_id join users on users.id = user_id
    where member_id = ${member_id} order by issued_at, session_id`);
}

export function listMemberMailedTokens(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select purpose, mailed_tokens.email, mailed_tokens.created_at, expires_at, used_at
    from mailed_tokens join users on users.id = user_id where member_id = ${member_id} order by mailed_tokens.created_at, mailed_tokens.id`);
}

export function listMemberAuthenticators(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select 'totp' as method, authenticators.created_at, enabled_at
    from authenticators join users on users.id = user_id where member_id = ${member_id}`);
}

export function listMemberRecoveryCodes(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select used_at from recovery_codes join users on users.id = user_id where member_id = ${member_id} order by used_at`);
}

export function listMemberPasskeys(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select passkeys.id, passkeys.name, synced, transports, sign_count, passkeys.created_at, last_used_at
    from passkeys join users on users.id = user_id where member_id = ${member_id} order by passkeys.created_at, passkeys.id`);
}

export function listMemberTickets(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select mfa_tickets.created_at, expires_at, used_at, failures
    from mfa_tickets join users on users.id = user_id where member_id = ${member_id} order by mfa_tickets.created_at`);
}

/**
 * Deletes the accounts of a member with their sessions, tokens, passkeys and MFA. The ends of the sessions remain until their access tokens have
 * expired: a random id that nothing refers to any more, without which another process would accept a token that it has not yet refused.
 */
export async function deleteMemberUsers(tx: Transaction, member_id: string): Promise<void> {
  const users = sql`select id from users where member_id = ${member_id}`;
  await tx.run(sql`
    delete from refresh_tokens where session_id in (select id from sessions where user_id in (${users}))`);
  await tx.run(sql`delete from sessions where user_id in (${users})`);
  await tx.run(sql`delete from mailed_tokens where user_id in (${users})`);
  await tx.run(sql`delete from mfa_tickets where user_id in (${users})`);
  await tx.run(sql`delete from recovery_codes where user_id in (${users})`);
  await tx.run(sql`delete from authenticators where user_id in (${users})`);
  await tx.run(sql`delete from passkeys where user_id in (${users})`);
  await tx.run(sql`delete from users where member_id = ${member_id}`);
}

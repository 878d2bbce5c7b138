import type { OrgRole, Role } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { readOutsideValue } from '#lib/outside-values.ts';
import {
  findBrokenConstraint,
  sql,
  type Executor,
  type Reader,
  type Transaction,
} from '#platform/database/database.ts';

/** An account that can log in. */
export type User = {
  readonly id: string;
  /** Null for an account that was created by a handle, until its user verifies an address. */
  readonly email: string | null;
  readonly handle: string | null;
  readonly role: Role;
  /** The member or the organisation; null for a platform administrator. */
  readonly linked_entity_id: string | null;
  readonly created_at: Date;
  readonly last_login: Date;
};

/** A user with the fields that a login checks. */
export type Account = User & {
  readonly password_hash: string;
  readonly suspended_at: Date | null;
  /** Increases whenever the password or MFA changes. */
  readonly access_version: number;
  readonly email_verified: boolean;
  /** Whether a login requires MFA. */
  readonly mfa_enabled: boolean;
};

const columns = sql`users.id, email, handle, role, coalesce(users.member_id, org_id) as linked_entity_id, users.created_at, last_login`;

/** Adds a user. @throws Refusal `email_taken`, `handle_taken`. */
export async function insertUser(
  tx: Transaction,
  user: User & {
    readonly password_hash: string;
    readonly member_id: string | null;
    readonly org_id: string | null;
    readonly handle_skeleton?: string;
  },
): Promise<void> {
  const { id, email, handle, password_hash, role, member_id, org_id, created_at, last_login } = user;
  const statement = sql`
    insert into users (id, email, handle, handle_skeleton, password_hash, role, member_id, org_id, created_at, last_login)
    values (${id}, ${email}, ${handle}, ${user.handle_skeleton ?? null}, ${password_hash}, ${role}, ${member_id}, ${org_id},
      ${created_at}, ${last_login})`;
  await tx.run(statement).catch((error: unknown) => {
    const constraint = findBrokenConstraint(error);
    if (constraint === 'users_email_key') throw new Refusal('email_taken');
    if (constraint === 'users_handle_key' || constraint === 'users_handle_skeleton_key')
      throw createFieldRefusal('handle_taken', '/handle', 'belongs to somebody, or looks like one that does');
    throw error;
  });
}

/** The user with an id, or undefined. */
export function findUser(db: Reader, id: string): Promise<User | undefined> {
  return db.find(sql<User>`
    select ${columns} from users where id = ${id}`);
}

/** Selects {@link Account}; a condition follows. */
export const accounts = sql`
  select ${columns}, password_hash, suspended_at, access_version, email_verified_at is not null as email_verified,
    enabled_at is not null as mfa_enabled
  from users left join authenticators on user_id = users.id`;

/** A user with their display name, which is the member's for a member and null if none was given, and how their account is protected. */
export type NamedUser = User &
  Pick<Account, 'email_verified' | 'mfa_enabled'> & { readonly display_name: string | null };

/** The user with an id. @param member_id The member of the user; null if the user is none. */
export function findNamedUser(
  db: Reader,
  { id, member_id }: { readonly id: string; readonly member_id: string | null },
): Promise<NamedUser | undefined> {
  return db.find(sql<NamedUser>`
    select ${columns}, coalesce(member_names.display_name, users.display_name) as display_name,
      email_verified_at is not null as email_verified, enabled_at is not null as mfa_enabled
    from users left join authenticators on user_id = users.id
      left join member_names on member_names.member_id = ${member_id} where users.id = ${id}`);
}

/** Counts the users. */
export function countUsers(db: Reader): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from users`);
}

/** Whether any account belongs to the organisation, including those of removed users. */
export async function hasUsersOfOrganisation(db: Reader, org_id: string): Promise<boolean> {
  const { found } = await db.one(
    sql<{ found: boolean }>`select exists (select from users where org_id = ${org_id}) as found`,
  );
  return found;
}

/** The account with a canonical email address, or undefined. */
export function findAccount(db: Reader, email: string): Promise<Account | undefined> {
  return db.find(sql<Account>`${accounts} where email = ${email}`);
}

/** The account with an id, or undefined. */
export function findAccountById(db: Reader, id: string): Promise<Account | undefined> {
  return db.find(sql<Account>`${accounts} where users.id = ${id}`);
}

/** The user with an id or an email address, or undefined. Compares ids as text, so that a malformed id finds no user. */
export function findUserByIdOrEmail(db: Reader, name: string): Promise<User | undefined> {
  const [email, id] = [readOutsideValue('email', name), readOutsideValue('id', name)];
  return db.find(sql<User>`select ${columns} from users where email = ${email} or id::text = ${id}`);
}

/** Records a login. Undefined if the user was suspended, or the password or MFA changed since `access_version` was read. */
export function updateLastLogin(
  tx: Transaction,
  { id, access_version }: Pick<Account, 'id' | 'access_version'>,
  now: Date,
): Promise<User | undefined> {
  return tx.find(sql<User>`
    update users set last_login = ${now} where id = ${id} and access_version = ${access_version} and suspended_at is null
    returning ${columns}`);
}

/** Locks a user against changes until the transaction ends. Undefined in the same cases as {@link updateLastLogin}. */
export function lockUnchangedUser(
  tx: Transaction,
  { id, access_version }: Pick<Account, 'id' | 'access_version'>,
): Promise<{ readonly id: string } | undefined> {
  return tx.find(sql<{ id: string }>`
    select id from users where id = ${id} and access_version = ${access_version} and suspended_at is null for share`);
}

/** Sets a new password. The caller must hold the user's lock. */
export async function updatePassword(
  tx: Transaction,
  { id, password_hash, now }: { readonly id: string; readonly password_hash: string; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    update users set password_hash = ${password_hash}, password_changed_at = ${now}, access_version = access_version + 1
    where id = ${id}`);
}

/** Records that MFA has been enabled or disabled. The caller must hold the user's lock. */
export async function updateAccessVersion(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`update users set access_version = access_version + 1 where id = ${id}`);
}

/** Suspends a user, or ends the suspension with null. The caller must hold the user's lock. */
export async function setSuspension(tx: Transaction, id: string, suspended_at: Date | null): Promise<void> {
  await tx.run(sql`update users set suspended_at = ${suspended_at} where id = ${id}`);
}

/** Locks the platform administrators who can log in, so that two of them do not decide at the same time. @returns their ids. */
export async function lockPlatformAdministrators(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    select id from users where role = 'platform_admin' and suspended_at is null and removed_at is null order by id for no key update`);
  return rows.map(({ id }) => id);
}

/** Replaces the hash of a password by another hash of the same password, unless the password has changed. */
export async function updatePasswordHash(
  db: Executor,
  id: string,
  before: string,
  after: string,
): Promise<void> {
  await db.run(sql`update users set password_hash = ${after} where id = ${id} and password_hash = ${before}`);
}

/** A user who is locked against concurrent changes to how they log in, and against concurrent emails. */
export type LockedUser = User & {
  readonly access_version: number;
  readonly email_verified_at: Date | null;
  readonly suspended_at: Date | null;
  /** When the account was removed. The row remains for a while, so that other nodes learn to refuse its access tokens. */
  readonly removed_at: Date | null;
};

export function lockUser(tx: Transaction, id: string): Promise<LockedUser | undefined> {
  return tx.find(sql<LockedUser>`
    select ${columns}, access_version, email_verified_at, suspended_at, removed_at from users where id = ${id} for no key update`);
}

/** Records that a user's address is verified. A repeated verification does not change the time. */
export function markEmailVerified(tx: Transaction, id: string, now: Date): Promise<User> {
  return tx.one(sql<User>`
    update users set email_verified_at = coalesce(email_verified_at, ${now}) where id = ${id} returning ${columns}`);
}

/** Gives a user another address, and says when it was verified. The caller must hold the user's lock, or the organisation's. @throws Refusal `email_taken`. */
export async function replaceEmail(
  tx: Transaction,
  {
    id,
    email,
    verified_at,
  }: { readonly id: string; readonly email: string; readonly verified_at: Date | null },
): Promise<void> {
  const statement = sql`update users set email = ${email}, email_verified_at = ${verified_at} where id = ${id}`;
  await tx.run(statement).catch((error: unknown) => {
    if (findBrokenConstraint(error) === 'users_email_key') throw new Refusal('email_taken');
    throw error;
  });
}

/** Gives a user another name. A member's name is stored with the member instead. */
export async function updateDisplayName(tx: Transaction, id: string, display_name: string): Promise<void> {
  await tx.run(sql`update users set display_name = ${display_name} where id = ${id}`);
}

/** Gives a user of an organisation another role. */
export async function updateRole(tx: Transaction, id: string, role: OrgRole): Promise<void> {
  await tx.run(sql`update users set role = ${role} where id = ${id}`);
}

/** What an emailed token can be used for. */
export type MailPurpose = 'verify_email' | 'change_email' | 'reset_password' | 'cancel_deletion';

/** A token that will be emailed. */
export type MailedToken = {
  readonly id: string;
  readonly token_hash: Buffer;
  readonly user_id: string;
  readonly purpose: MailPurpose;
  /** The new address that a token verifies; undefined for the other purposes, whose tokens are emailed to the user's address. */
  readonly email?: string;
  readonly created_at: Date;
  readonly expires_at: Date;
};

/** An emailed token that a client presents. */
export type PresentedToken = {
  readonly token_hash: Buffer;
  readonly purpose: MailPurpose;
  readonly now: Date;
};

export async function insertMailedToken(tx: Transaction, token: MailedToken): Promise<void> {
  const { id, token_hash, user_id, purpose, email, created_at, expires_at } = token;
  await tx.run(sql`
    insert into mailed_tokens (id, token_hash, user_id, purpose, email, created_at, expires_at)
    values (${id}, ${token_hash}, ${user_id}, ${purpose}, ${email ?? null}, ${created_at}, ${expires_at})`);
}

/** The times at which tokens of a purpose were emailed to a user: at most the newest hundred. */
export async function listMailTimes(
  db: Reader,
  user_id: string,
  purpose: MailPurpose,
): Promise<readonly Date[]> {
  const rows = await db.list(sql<{ created_at: Date }>`
    select created_at from mailed_tokens where user_id = ${user_id} and purpose = ${purpose}
    order by created_at desc limit 100`);
  return rows.map(({ created_at }) => created_at);
}

/** The recipient of an emailed token; undefined once the token is used, expired or no longer needed. */
export function findMailing(
  db: Reader,
  id: string,
  now: Date,
): Promise<{ readonly email: string; readonly user_id: string } | undefined> {
  return db.find(sql<{ email: string; user_id: string }>`
    select coalesce(mailed_tokens.email, users.email) as email, users.id as user_id from mailed_tokens join users on users.id = user_id
    where mailed_tokens.id = ${id} and used_at is null and expires_at > ${now}
      and (purpose <> 'verify_email' or email_verified_at is null)`);
}

/** The user of a valid emailed token; undefined if the token is unknown, used or expired. */
export function findTokenHolder(
  db: Reader,
  { token_hash, purpose, now }: PresentedToken,
): Promise<{ readonly user_id: string } | undefined> {
  return db.find(sql<{ user_id: string }>`
    select user_id from mailed_tokens
    where token_hash = ${token_hash} and purpose = ${purpose} and used_at is null and expires_at > ${now}`);
}

/** Invalidates every unused token of a user for these purposes. The caller must hold the user's lock. */
export async function markMailedTokensUsed(
  tx: Transaction,
  user_id: string,
  purposes: readonly MailPurpose[],
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update mailed_tokens set used_at = ${now}
    where user_id = ${user_id} and purpose = any(${purposes}::text[]) and used_at is null`);
}

/** Marks an emailed token as used; undefined if it is unknown, used or expired. Only one of several concurrent uses succeeds. */
export function markMailedTokenUsed(
  tx: Transaction,
  { token_hash, purpose, now }: PresentedToken,
): Promise<{ readonly user_id: string; readonly email: string | null } | undefined> {
  return tx.find(sql<{ user_id: string; email: string | null }>`
    update mailed_tokens set used_at = ${now}
    where token_hash = ${token_hash} and purpose = ${purpose} and used_at is null and expires_at > ${now}
    returning user_id, email`);
}

import type { OrgRole } from '#lib/caller.ts';
import {
  emptySql,
  sql,
  type Executor,
  type Reader,
  type Statement,
  type Transaction,
} from '#platform/database/database.ts';
import type { OrgUser, RecentMails } from './rules.ts';

/** An invitation of a new user by an organisation. */
export type Invitation = {
  readonly id: string;
  readonly org_id: string;
  readonly email: string;
  readonly role: OrgRole;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly sent_at: Date;
};

const columns = sql`id, org_id, email, role, created_at, expires_at, sent_at`;

/** Adds an invitation, whose first email is sent now. */
export async function insertInvitation(
  tx: Transaction,
  invitation: Invitation & { readonly invited_by: string; readonly token_hash: Buffer },
): Promise<void> {
  const { id, org_id, email, role, invited_by, token_hash, created_at, expires_at, sent_at } = invitation;
  await tx.run(sql`
    insert into invitations (id, org_id, email, role, invited_by, token_hash, created_at, expires_at, sent_at)
    values (${id}, ${org_id}, ${email}, ${role}, ${invited_by}, ${token_hash}, ${created_at}, ${expires_at}, ${sent_at})`);
}

/** The open invitation with a token, or undefined. */
export function findInvitationByToken(
  db: Reader,
  { token_hash, now }: { readonly token_hash: Buffer; readonly now: Date },
): Promise<Invitation | undefined> {
  return db.find(sql<Invitation>`
    select ${columns} from invitations where token_hash = ${token_hash} and ended_at is null and expires_at > ${now}`);
}

/** Locks the open invitation with a token, so that only one of several concurrent requests finds it open. */
export function lockInvitationByToken(
  tx: Transaction,
  { token_hash, now }: { readonly token_hash: Buffer; readonly now: Date },
): Promise<Invitation | undefined> {
  return tx.find(sql<Invitation>`
    select ${columns} from invitations where token_hash = ${token_hash} and ended_at is null and expires_at > ${now} for update`);
}

type InvitationKey = { readonly id: string; readonly org_id: string; readonly now: Date };

/** The organisation's open invitation with an id; undefined if there is none. */
export function findInvitation(
  db: Reader,
  { id, org_id, now }: InvitationKey,
): Promise<Invitation | undefined> {
  return db.find(sql<Invitation>`
    select ${columns} from invitations where id = ${id} and org_id = ${org_id} and ended_at is null and expires_at > ${now}`);
}

/** Locks the organisation's open invitation with an id; undefined if there is none. */
export function lockInvitation(
  tx: Transaction,
  { id, org_id, now }: InvitationKey,
): Promise<Invitation | undefined> {
  return tx.find(sql<Invitation>`
    select ${columns} from invitations where id = ${id} and org_id = ${org_id} and ended_at is null and expires_at > ${now} for update`);
}

/** The organisation's open invitation for an address, or undefined. The caller must hold the organisation's lock. */
export async function findOpenInvitation(
  tx: Transaction,
  { org_id, email }: Pick<Invitation, 'org_id' | 'email'>,
): Promise<Pick<Invitation, 'id'> | undefined> {
  return tx.find(sql<Pick<Invitation, 'id'>>`
    select id from invitations where org_id = ${org_id} and email = ${email} and ended_at is null`);
}

/** The recipient, role and organisation of an open invitation; undefined if it has ended. */
export function findMailing(
  db: Reader,
  id: string,
  now: Date,
): Promise<(Pick<Invitation, 'email' | 'role'> & { readonly organisation: string }) | undefined> {
  return db.find(sql<Pick<Invitation, 'email' | 'role'> & { organisation: string }>`
    select email, role, organisation_names.name as organisation from invitations join organisation_names on organisation_names.id = org_id
    where invitations.id = ${id} and ended_at is null and expires_at > ${now}`);
}

/** Records that an invitation is sent again, with its new expiry. */
export async function renewInvitation(
  tx: Transaction,
  { id, now, expires_at }: { readonly id: string; readonly now: Date; readonly expires_at: Date },
): Promise<void> {
  await tx.run(sql`
    update invitations set sent_at = ${now}, mails = mails + 1, expires_at = ${expires_at} where id = ${id}`);
}

/** Ends an invitation that was accepted or cancelled. */
export async function endInvitation(tx: Transaction, id: string, now: Date): Promise<void> {
  await endInvitations(tx, now, sql`id = ${id}`);
}

/** Ends the expired invitations of an organisation, so that their addresses can be invited again. */
export async function endExpiredInvitations(tx: Transaction, org_id: string, now: Date): Promise<void> {
  await endInvitations(tx, now, sql`org_id = ${org_id} and expires_at <= ${now}`);
}

/** Ends the open invitations that a user sent. @returns their number. */
export function endInvitationsOfInviter(
  tx: Transaction,
  { org_id, invited_by, now }: { readonly org_id: string; readonly invited_by: string; readonly now: Date },
): Promise<number> {
  return endInvitations(tx, now, sql`org_id = ${org_id} and invited_by = ${invited_by}`);
}

function endInvitations(tx: Transaction, now: Date, which: Statement): Promise<number> {
  return tx.run(
    sql`update invitations set ended_at = ${now}, email = null where ended_at is null and ${which}`,
  );
}

/** The emails for an organisation since a time, or slightly more: an invitation that was sent again counts with all its emails. */
export function countMails(tx: Transaction, org_id: string, since: Date): Promise<RecentMails> {
  return tx.one(sql<RecentMails>`
    select coalesce(sum(mails), 0) as mails, min(sent_at) as first_sent_at from invitations
    where org_id = ${org_id} and sent_at > ${since}`);
}

/** The place of a row in the list: its time (ISO 8601) and id. */
export type OrgUserPlace = readonly [created_at: string, id: string];

type OrgNow = { readonly org_id: string; readonly now: Date };

/** The users and open invitations of an organisation, newest first. */
export function listOrgUsers(
  db: Reader,
  org: OrgNow,
  after: OrgUserPlace | undefined,
  limit: number,
): Promise<OrgUser[]> {
  const from = after ? sql`where (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<OrgUser>`
    select * from (${buildOrgUsersQuery(org)}) as everybody ${from} order by created_at desc, id desc limit ${limit}`);
}

/** The number of users and open invitations of an organisation. */
export function countOrgUsers(db: Reader, org: OrgNow): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from (${buildOrgUsersQuery(org)}) as everybody`);
}

function buildOrgUsersQuery({ org_id, now }: OrgNow): Statement {
  return sql`
    ${buildUsersQuery(org_id)}
    union all
    select id, email, null, role, 'invited', created_at, null, expires_at
    from invitations where org_id = ${org_id} and ended_at is null and expires_at > ${now}`;
}

function buildUsersQuery(org_id: string): Statement {
  return sql`
    select id, email, display_name, role, case when suspended_at is null then 'active' else 'suspended' end as status, created_at, last_login,
      null::timestamptz as expires_at
    from org_users where org_id = ${org_id}`;
}

/** The organisation's user with an id, as the list shows it; undefined in the same cases as {@link findOrgUser}. */
export function findListedUser(
  db: Reader,
  { id, org_id }: { readonly id: string; readonly org_id: string },
): Promise<OrgUser | undefined> {
  return db.find(sql<OrgUser>`${buildUsersQuery(org_id)} and id = ${id}`);
}

/** The organisation's user with an id; undefined for other users and for a user who was removed. */
export function findOrgUser(
  db: Reader,
  { id, org_id }: { readonly id: string; readonly org_id: string },
): Promise<{ readonly id: string; readonly role: OrgRole } | undefined> {
  return db.find(sql<{ id: string; role: OrgRole }>`
    select id, role from org_users where id = ${id} and org_id = ${org_id}`);
}

/** The number of administrators who can act for the organisation, except one. The caller must hold the organisation's lock. */
export function countOtherAdmins(
  tx: Transaction,
  { org_id, except }: { readonly org_id: string; readonly except: string },
): Promise<number> {
  return tx.count(sql<{ count: number }>`
    select count(*) from org_users
    where org_id = ${org_id} and role = 'org_admin' and suspended_at is null and id <> ${except}`);
}

/** The number of users of an organisation who are not suspended. */
export function countActiveOrgUsers(db: Reader, org_id: string): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from org_users where org_id = ${org_id} and suspended_at is null`);
}

/** Deletes at most `limit` invitations that ended or expired before `horizon`. @returns the number deleted. */
export function deleteEndedInvitations(db: Executor, horizon: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from invitations where id in (
      select id from invitations where least(ended_at, expires_at) < ${horizon} limit ${limit})`);
}

/** The open invitations that were sent to one of these addresses, which are now a member's. */
export function listMemberInvitations(
  db: Reader,
  emails: readonly (string | null)[],
): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select id, org_id, role, created_at, expires_at, sent_at
    from invitations where email = any(${emails}::text[]) order by created_at`);
}

export async function deleteMemberInvitations(
  tx: Transaction,
  emails: readonly (string | null)[],
): Promise<void> {
  await tx.run(sql`delete from invitations where email = any(${emails}::text[])`);
}

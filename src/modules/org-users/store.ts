import type { OrgRole } from '#lib/caller.ts';
import {
  emptySql,
  sql,
  type Executor,
  type Reader,
  type Statement,
  type Transaction,
} from '#platform/database/database.ts';
import type { RecentMails } from './rules.ts';

/** Somebody whom an organisation wants, and who has not answered yet. */
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

/** Adds an invitation whose first mail goes now. */
export async function insertInvitation(
  tx: Transaction,
  invitation: Invitation & { readonly invited_by: string; readonly token_hash: Buffer },
): Promise<void> {
  const { id, org_id, email, role, invited_by, token_hash, created_at, expires_at, sent_at } = invitation;
  await tx.run(sql`
    insert into invitations (id, org_id, email, role, invited_by, token_hash, created_at, expires_at, sent_at)
    values (${id}, ${org_id}, ${email}, ${role}, ${invited_by}, ${token_hash}, ${created_at}, ${expires_at}, ${sent_at})`);
}

/** The open invitation of a token, or undefined. */
export function findInvitationByToken(
  db: Reader,
  { token_hash, now }: { readonly token_hash: Buffer; readonly now: Date },
): Promise<Invitation | undefined> {
  return db.find(sql<Invitation>`
    select ${columns} from invitations where token_hash = ${token_hash} and ended_at is null and expires_at > ${now}`);
}

/** The same, held: of several who accept at once, one finds it open. */
export function lockInvitationByToken(
  tx: Transaction,
  { token_hash, now }: { readonly token_hash: Buffer; readonly now: Date },
): Promise<Invitation | undefined> {
  return tx.find(sql<Invitation>`
    select ${columns} from invitations where token_hash = ${token_hash} and ended_at is null and expires_at > ${now} for update`);
}

type InvitationKey = { readonly id: string; readonly org_id: string; readonly now: Date };

/** The organisation's open invitation of an id, held; or undefined. */
export function lockInvitation(
  tx: Transaction,
  { id, org_id, now }: InvitationKey,
): Promise<Invitation | undefined> {
  return tx.find(sql<Invitation>`
    select ${columns} from invitations where id = ${id} and org_id = ${org_id} and ended_at is null and expires_at > ${now} for update`);
}

/** Whether the organisation has an open invitation for an address. Hold the organisation's lock. */
export async function findOpenInvitation(
  tx: Transaction,
  { org_id, email }: Pick<Invitation, 'org_id' | 'email'>,
): Promise<Pick<Invitation, 'id'> | undefined> {
  return tx.find(sql<Pick<Invitation, 'id'>>`
    select id from invitations where org_id = ${org_id} and email = ${email} and ended_at is null`);
}

/** To whom an open invitation is to be mailed, and who invites; undefined once it has ended. */
export function findMailing(
  db: Reader,
  id: string,
  now: Date,
): Promise<(Pick<Invitation, 'email' | 'role'> & { readonly organisation: string }) | undefined> {
  return db.find(sql<Pick<Invitation, 'email' | 'role'> & { organisation: string }>`
    select email, role, organisation_names.name as organisation from invitations join organisation_names on organisation_names.id = org_id
    where invitations.id = ${id} and ended_at is null and expires_at > ${now}`);
}

/** Keeps that an invitation is mailed again, and until when it can be accepted now. */
export async function updateInvitationSent(
  tx: Transaction,
  { id, now, expires_at }: { readonly id: string; readonly now: Date; readonly expires_at: Date },
): Promise<void> {
  await tx.run(sql`
    update invitations set sent_at = ${now}, mails = mails + 1, expires_at = ${expires_at} where id = ${id}`);
}

/** Ends an invitation: accepted, or cancelled. */
export async function updateInvitationEnded(tx: Transaction, id: string, now: Date): Promise<void> {
  await endInvitations(tx, now, sql`id = ${id}`);
}

/** Ends what has expired, so that the address can be invited again. */
export async function updateExpiredInvitationsEnded(
  tx: Transaction,
  org_id: string,
  now: Date,
): Promise<void> {
  await endInvitations(tx, now, sql`org_id = ${org_id} and expires_at <= ${now}`);
}

/** Ends the open invitations by a user; how many there were. */
export function updateInviterInvitationsEnded(
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

/** What the organisation had mailed since a time, at most: an invitation that was mailed again counts with all its mails. */
export function countMails(tx: Transaction, org_id: string, since: Date): Promise<RecentMails> {
  return tx.one(sql<RecentMails>`
    select coalesce(sum(mails), 0) as mails, min(sent_at) as first_sent_at from invitations
    where org_id = ${org_id} and sent_at > ${since}`);
}

/** Somebody of an organisation: a user, or an invitation that is open. */
export type OrgUser = {
  readonly id: string;
  readonly email: string;
  readonly role: OrgRole;
  readonly status: 'active' | 'invited' | 'suspended';
  readonly created_at: Date;
  readonly last_login: Date | null;
  readonly expires_at: Date | null;
};

/** Where a page goes on: behind the entry of this time (ISO 8601) and id. */
export type OrgUserPlace = readonly [created_at: string, id: string];

type OrgNow = { readonly org_id: string; readonly now: Date };

/** Everybody of an organisation, the newest first. */
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

/** How many people an organisation has, invitations included. */
export async function countOrgUsers(db: Reader, org: OrgNow): Promise<number> {
  const { count } = await db.one(
    sql<{ count: number }>`select count(*) from (${buildOrgUsersQuery(org)}) as everybody`,
  );
  return count;
}

function buildOrgUsersQuery({ org_id, now }: OrgNow): Statement {
  return sql`
    select id, email, role, case when suspended_at is null then 'active' else 'suspended' end as status, created_at, last_login,
      null::timestamptz as expires_at
    from org_users where org_id = ${org_id}
    union all
    select id, email, role, 'invited', created_at, null, expires_at
    from invitations where org_id = ${org_id} and ended_at is null and expires_at > ${now}`;
}

/** The organisation's user of an id; undefined for anybody else, and for who was removed. */
export function findOrgUser(
  db: Reader,
  { id, org_id }: { readonly id: string; readonly org_id: string },
): Promise<{ readonly id: string; readonly role: OrgRole } | undefined> {
  return db.find(sql<{ id: string; role: OrgRole }>`
    select id, role from org_users where id = ${id} and org_id = ${org_id}`);
}

/** How many administrators can act for the organisation, one of them left out. Hold the organisation's lock. */
export async function countOtherAdmins(
  tx: Transaction,
  { org_id, except }: { readonly org_id: string; readonly except: string },
): Promise<number> {
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*) from org_users
    where org_id = ${org_id} and role = 'org_admin' and suspended_at is null and id <> ${except}`);
  return count;
}

/** Deletes invitations that ended, or expired, before `horizon`, at most `limit`; how many it deleted. */
export function deleteEndedInvitations(db: Executor, horizon: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from invitations where id in (
      select id from invitations where least(ended_at, expires_at) < ${horizon} limit ${limit})`);
}

/** Open invitations that went to one of these addresses, which are a member's now. */
export function listMemberInvitations(
  db: Reader,
  emails: readonly string[],
): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select id, org_id, role, created_at, expires_at, sent_at
    from invitations where email = any(${emails}::text[]) order by created_at`);
}

export async function deleteMemberInvitations(tx: Transaction, emails: readonly string[]): Promise<void> {
  await tx.run(sql`delete from invitations where email = any(${emails}::text[])`);
}

import { emptySql, sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Invitation, InvitationState } from './rules.ts';

const columns = sql`
  id, org_id, job_id, email_sealed, email_hash, state, member_id, external_ref, metadata, partner, created_at, sent_at, expires_at, updated_at`;

export async function insertInvitation(
  tx: Transaction,
  invitation: Invitation,
  token_hash: Buffer,
): Promise<void> {
  const { id, org_id, job_id, email_sealed, email_hash, state, external_ref, metadata, partner } = invitation;
  const { created_at, sent_at, expires_at, updated_at } = invitation;
  await tx.run(sql`
    insert into candidate_invitations (id, org_id, job_id, email_sealed, email_hash, token_hash, state, external_ref, metadata, partner, created_at,
      sent_at, expires_at, updated_at)
    values (${id}, ${org_id}, ${job_id}, ${email_sealed}, ${email_hash}, ${token_hash}, ${state}, ${external_ref},
      ${JSON.stringify(metadata)}::jsonb, ${partner}, ${created_at}, ${sent_at}, ${expires_at}, ${updated_at})`);
}

/** The invitation whose link has a token. */
export function findInvitationByToken(db: Reader, token_hash: Buffer): Promise<Invitation | undefined> {
  return db.find(
    sql<Invitation>`select ${columns} from candidate_invitations where token_hash = ${token_hash}`,
  );
}

/** Locks an invitation, so that of two answers at the same time the second one sees the first. */
export function lockInvitation(tx: Transaction, id: string): Promise<Invitation | undefined> {
  return tx.find(sql<Invitation>`select ${columns} from candidate_invitations where id = ${id} for update`);
}

export function findInvitation(db: Reader, id: string): Promise<Invitation | undefined> {
  return db.find(sql<Invitation>`select ${columns} from candidate_invitations where id = ${id}`);
}

/** Locks the latest invitation of an address to a job. */
export function lockLatestInvitation(
  tx: Transaction,
  { job_id, email_hash }: { readonly job_id: string; readonly email_hash: Buffer },
): Promise<Invitation | undefined> {
  return tx.find(sql<Invitation>`
    select ${columns} from candidate_invitations where job_id = ${job_id} and email_hash = ${email_hash}
    order by created_at desc, id desc limit 1 for update`);
}

/** Stores how an invitation was answered or has ended. Only an acceptance keeps the address. */
export async function updateState(
  tx: Transaction,
  { id, state, member_id, email_sealed, updated_at }: Invitation,
): Promise<void> {
  await tx.run(sql`
    update candidate_invitations set state = ${state}, member_id = ${member_id}, email_sealed = ${email_sealed}, updated_at = ${updated_at}
    where id = ${id}`);
}

/** Stores that the email is sent again. */
export async function renewInvitation(
  tx: Transaction,
  { id, sent_at, expires_at, updated_at }: Invitation,
): Promise<void> {
  await tx.run(sql`
    update candidate_invitations set sent_at = ${sent_at}, expires_at = ${expires_at}, updated_at = ${updated_at} where id = ${id}`);
}

/** When the email of an organisation was sent that is in this place, counted from its newest; undefined if there were fewer. */
export async function findSendingTime(db: Reader, org_id: string, place: number): Promise<Date | undefined> {
  const row = await db.find(sql<Pick<Invitation, 'sent_at'>>`
    select sent_at from candidate_invitations where org_id = ${org_id} order by sent_at desc offset ${place - 1} limit 1`);
  return row?.sent_at;
}

/** The position of an invitation in a list: when it was made (ISO 8601), and its id. */
export type InvitationPlace = readonly [created_at: string, id: string];

/** Which invitations are listed: those to a job, or those that concern a member, by the proven address or by the acceptance. */
export type InvitationFilter = {
  readonly owner:
    | { readonly org_id: string; readonly job_id: string }
    | { readonly member_id: string; readonly email_hash: Buffer | undefined };
  readonly status?: InvitationState | undefined;
  readonly external_ref?: string | undefined;
  /** Only invitations that were made or have changed at this time (ISO 8601) or later. */
  readonly updated_since?: string | undefined;
};

/** Invitations, newest first. */
export function listInvitations(
  db: Reader,
  filter: InvitationFilter,
  now: Date,
  after: InvitationPlace | undefined,
  limit: number,
): Promise<Invitation[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Invitation>`
    select ${columns} from candidate_invitations where ${buildCondition(filter, now)} ${from}
    order by created_at desc, id desc limit ${limit}`);
}

export function countInvitations(db: Reader, filter: InvitationFilter, now: Date): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from candidate_invitations where ${buildCondition(filter, now)}`,
  );
}

/** Selects by the same rule as `computeStatus`. What a member once accepted belongs to that member alone. */
function buildCondition({ owner, status, external_ref, updated_since }: InvitationFilter, now: Date) {
  const ofOwner =
    'org_id' in owner
      ? sql`org_id = ${owner.org_id} and job_id = ${owner.job_id}`
      : sql`
          (member_id = ${owner.member_id} or (member_id is null and email_hash = ${owner.email_hash ?? null}))
          and org_id not in (select id from suspended_organisations)`;
  return sql`
    ${ofOwner} ${status === undefined ? emptySql : sql`and ${buildStatusCondition(status, now)}`}
    ${external_ref === undefined ? emptySql : sql`and external_ref = ${external_ref}`}
    ${updated_since === undefined ? emptySql : sql`and updated_at >= ${updated_since}::timestamptz`}`;
}

function buildStatusCondition(status: InvitationState, now: Date) {
  if (status === 'sent') return sql`state = 'sent' and expires_at > ${now}`;
  if (status === 'expired') return sql`(state = 'expired' or (state = 'sent' and expires_at <= ${now}))`;
  if (status === 'accepted') return sql`state = 'accepted' and member_id is not null`;
  if (status === 'withdrawn') return sql`(state = 'withdrawn' or (state = 'accepted' and member_id is null))`;
  return sql`state = ${status}`;
}

/** Whether an address wants no invitations from an organisation. */
export async function isStopped(
  db: Reader,
  { org_id, email_hash }: { readonly org_id: string; readonly email_hash: Buffer },
): Promise<boolean> {
  const found = await db.find(
    sql`select from candidate_stops where org_id = ${org_id} and email_hash = ${email_hash}`,
  );
  return found !== undefined;
}

export async function insertStop(
  tx: Transaction,
  { org_id, email_hash, now }: { readonly org_id: string; readonly email_hash: Buffer; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into candidate_stops (org_id, email_hash, created_at) values (${org_id}, ${email_hash}, ${now}) on conflict do nothing`);
}

/** Locks at most `limit` invitations that have expired, or whose member was erased, and that are not stored as such. */
export function lockEndedInvitations(tx: Transaction, now: Date, limit: number): Promise<Invitation[]> {
  return tx.list(sql<Invitation>`
    select ${columns} from candidate_invitations
    where (state = 'sent' and expires_at <= ${now}) or (state = 'accepted' and member_id is null)
    order by id limit ${limit} for update skip locked`);
}

/** Deletes at most `limit` invitations that have ended, or were accepted, before these times. @returns their number. */
export function deleteOldInvitations(
  db: Executor,
  { ended, accepted }: { readonly ended: Date; readonly accepted: Date },
  limit: number,
): Promise<number> {
  return db.run(sql`
    delete from candidate_invitations where id in (
      select id from candidate_invitations
      where state <> 'sent' and updated_at <= case when state = 'accepted' then ${accepted}::timestamptz else ${ended}::timestamptz end
      limit ${limit})`);
}

/** Deletes the invitations and stops of an organisation that is removed. */
export async function deleteOrganisationInvitations(tx: Transaction, org_id: string): Promise<void> {
  await tx.run(sql`delete from candidate_invitations where org_id = ${org_id}`);
  await tx.run(sql`delete from candidate_stops where org_id = ${org_id}`);
}

type HeldRow = Readonly<Record<string, unknown>>;

/** The invitations that a member has accepted, oldest first. */
export function listMemberAcceptances(db: Reader, member_id: string): Promise<HeldRow[]> {
  return db.list(sql<HeldRow>`
    select org_id, job_id, state, created_at, sent_at, expires_at, updated_at from candidate_invitations
    where member_id = ${member_id} order by created_at, id`);
}

/** Unlinks a member from what they accepted, and deletes the address. The organisation then reads that the person has withdrawn. */
export async function severMember(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`
    update candidate_invitations set member_id = null, email_sealed = null, email_hash = null where member_id = ${member_id}`);
}

import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Answer } from '../items/item.ts';

/** The test of somebody who answers for science. */
export type Volunteer = {
  readonly id: string;
  /** The first test of the same person; null for a first one. */
  readonly first_id: string | null;
  readonly parameter_version: string;
  /** In which the items are read; null, of tests from before languages, is that of the parameters. */
  readonly language: string | null;
  readonly asked_id: string | null;
  readonly asked_at: Date;
  readonly item_ids: readonly string[];
  readonly options: readonly number[];
  readonly response_times_ms: readonly number[];
  readonly completed_at: Date | null;
  /** When the invitation to a second test is sent; null if none is wanted. */
  readonly invite_at: Date | null;
};

export type NewVolunteer = Pick<Volunteer, 'id' | 'first_id' | 'parameter_version' | 'language'> & {
  readonly code_hash: Buffer;
  readonly consent_version: string;
  readonly item_bank_version: string;
  readonly asked_id: string;
  readonly now: Date;
};

/** Begins a test. @returns whether it was begun: a first test has one second test. */
export async function insertVolunteer(tx: Transaction, inserting: NewVolunteer): Promise<boolean> {
  const { id, code_hash, first_id, consent_version, item_bank_version, parameter_version } = inserting;
  const { language, asked_id, now } = inserting;
  const inserted = await tx.list(sql`
    insert into volunteers
      (id, code_hash, first_id, consent_version, item_bank_version, parameter_version, language, asked_id, asked_at, started_at)
    values (${id}, ${code_hash}, ${first_id}, ${consent_version}, ${item_bank_version}, ${parameter_version}, ${language}, ${asked_id},
      ${now}, ${now})
    on conflict (first_id) do nothing returning id`);
  return inserted.length > 0;
}

/** Finds a test by the hash of its code. */
export function findVolunteer(db: Reader, code_hash: Buffer): Promise<Volunteer | undefined> {
  return db.find(sql<Volunteer>`
    select id, first_id, parameter_version, language, asked_id, asked_at, item_ids, options, response_times_ms, completed_at, invite_at
    from volunteers where code_hash = ${code_hash}`);
}

/** Locks a test, so that of two answers to one item the first counts. */
export function lockVolunteer(tx: Transaction, code_hash: Buffer): Promise<Volunteer | undefined> {
  return tx.find(sql<Volunteer>`
    select id, first_id, parameter_version, language, asked_id, asked_at, item_ids, options, response_times_ms, completed_at, invite_at
    from volunteers where code_hash = ${code_hash} for update`);
}

/** Whether a test still exists. */
export async function isKept(db: Reader, id: string): Promise<boolean> {
  return (await db.find(sql<{ id: string }>`select id from volunteers where id = ${id}`)) !== undefined;
}

/** Locks a test by its id, if it is complete. */
export async function lockCompleteVolunteer(tx: Transaction, id: string): Promise<boolean> {
  const found = await tx.find(sql<{ id: string }>`
    select id from volunteers where id = ${id} and completed_at is not null for update`);
  return found !== undefined;
}

/** Adds an answer, and the item that is asked next; null at the end, with the signals of careless answers. */
export async function addAnswer(
  tx: Transaction,
  id: string,
  { item_id, option, response_time_ms }: Required<Answer>,
  next: { readonly asked_id: string | null; readonly quality_flags: readonly string[]; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    update volunteers set item_ids = item_ids || ${item_id}::text, options = options || ${option}::smallint,
      response_times_ms = response_times_ms || ${response_time_ms}::integer, asked_id = ${next.asked_id}, asked_at = ${next.now},
      quality_flags = ${next.quality_flags}::text[],
      completed_at = case when ${next.asked_id}::text is null then ${next.now}::timestamptz end
    where id = ${id}`);
}

/** Deletes the first and the second test of a person. */
export async function deleteVolunteerTests(
  tx: Transaction,
  { id, first_id }: Pick<Volunteer, 'id' | 'first_id'>,
): Promise<void> {
  await tx.run(sql`delete from volunteers where id = ${first_id ?? id}`);
}

/** Stores or deletes the address that gets the invitation. */
export async function updateInvitation(
  tx: Transaction,
  id: string,
  invitation: { readonly email_sealed: string; readonly invite_at: Date } | null,
): Promise<void> {
  await tx.run(sql`
    update volunteers set email_sealed = ${invitation?.email_sealed ?? null}, invite_at = ${invitation?.invite_at ?? null}
    where id = ${id}`);
}

/** Takes at most `limit` addresses whose invitation is due, and deletes them from their tests. */
export async function takeDueInvitations(
  tx: Transaction,
  now: Date,
  limit: number,
): Promise<readonly { readonly id: string; readonly email_sealed: string }[]> {
  const due = await tx.list(sql<{ id: string; email_sealed: string }>`
    select id, coalesce(email_sealed, '') as email_sealed from volunteers where invite_at <= ${now}
    order by invite_at limit ${limit} for update skip locked`);
  await tx.run(sql`
    update volunteers set email_sealed = null, invite_at = null where id = any(${due.map(({ id }) => id)}::uuid[])`);
  return due;
}

/** Deletes at most `limit` tests that were left unfinished, or completed, before these times. @returns their number. */
export async function deleteOldVolunteers(
  tx: Transaction,
  { unfinished, complete }: { readonly unfinished: Date; readonly complete: Date },
  limit: number,
): Promise<number> {
  const deleted = await tx.list(sql`
    delete from volunteers where id in (
      select id from volunteers where completed_at is null and asked_at < ${unfinished}
      union all select id from volunteers where completed_at < ${complete} limit ${limit}) returning id`);
  return deleted.length;
}

/** What calibrations read of a complete test. */
export type PublicAnswers = Pick<Volunteer, 'id' | 'first_id' | 'language' | 'item_ids' | 'options'> & {
  readonly quality_flags: readonly string[];
};

/** Lists complete tests with these versions of the statements in the order of their ids, after one. */
export function listPublicAnswers(
  db: Reader,
  item_bank_versions: readonly string[],
  after: string,
  limit: number,
): Promise<PublicAnswers[]> {
  return db.list(sql<PublicAnswers>`
    select id, first_id, language, item_ids, options, quality_flags from volunteers
    where item_bank_version = any(${item_bank_versions}::text[]) and completed_at is not null and id > ${after}
    order by id limit ${limit}`);
}

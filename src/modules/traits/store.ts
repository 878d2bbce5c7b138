import type { LatentVector, TraitVector } from './measurement/trait-vector.ts';
import type { Answer } from './items/item.ts';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

export type Assessment = {
  readonly id: string;
  readonly member_id: string;
  readonly item_bank_version: string;
  readonly parameter_version: string;
  readonly started_at: Date;
  readonly completed_at: Date | null;
};

export type StoredVector = {
  readonly version: number;
  readonly vector: TraitVector;
  readonly created_at: Date;
};

/** The member's open assessment, or else the one completed last; locked: two answers that arrive together are taken one after the other. */
export function lockNewestAssessment(tx: Transaction, member_id: string): Promise<Assessment | undefined> {
  return tx.find(sql<Assessment>`
    select id, member_id, item_bank_version, parameter_version, started_at, completed_at from assessments
    where member_id = ${member_id} order by completed_at desc nulls first limit 1 for update`);
}

/** Begins an assessment; one that was begun at the same moment by another request stands, and this one is not kept. */
export async function insertAssessment(tx: Transaction, assessment: Assessment): Promise<void> {
  const { id, member_id, item_bank_version, parameter_version, started_at } = assessment;
  await tx.run(sql`
    insert into assessments (id, member_id, item_bank_version, parameter_version, started_at)
    values (${id}, ${member_id}, ${item_bank_version}, ${parameter_version}, ${started_at})
    on conflict (member_id) where completed_at is null do nothing`);
}

/** The answers in the order they were given; at most as many as the bank has items. */
export function listAnswers(db: Reader, assessment_id: string): Promise<readonly Answer[]> {
  return db.list(sql<Answer>`
    select item_id, option, response_time_ms from assessment_answers
    where assessment_id = ${assessment_id} order by position`);
}

export async function insertAnswer(
  tx: Transaction,
  assessment_id: string,
  position: number,
  answer: Required<Answer>,
  answered_at: Date,
): Promise<void> {
  const { item_id, option, response_time_ms } = answer;
  await tx.run(sql`
    insert into assessment_answers (assessment_id, position, item_id, option, answered_at, response_time_ms)
    values (${assessment_id}, ${position}, ${item_id}, ${option}, ${answered_at}, ${response_time_ms})`);
}

/** When the assessment's last answer came, or undefined before the first. */
export async function findLastAnswerTime(db: Reader, assessment_id: string): Promise<Date | undefined> {
  const last = await db.find(sql<{ answered_at: Date }>`
    select answered_at from assessment_answers where assessment_id = ${assessment_id} order by position desc limit 1`);
  return last?.answered_at;
}

export async function completeAssessment(
  tx: Transaction,
  id: string,
  flags: readonly string[],
  now: Date,
): Promise<void> {
  await tx.run(sql`update assessments set completed_at = ${now}, quality_flags = ${flags} where id = ${id}`);
}

/** Keeps a new version; the caller holds the lock on the member's assessment. */
export async function insertVector(
  tx: Transaction,
  member_id: string,
  measured: {
    readonly item_bank_version: string;
    readonly parameter_version: string;
    readonly vector: TraitVector;
    readonly latent: LatentVector;
    readonly now: Date;
  },
): Promise<void> {
  const { item_bank_version, parameter_version, vector, latent, now } = measured;
  await tx.run(sql`
    insert into trait_vectors
      (member_id, version, item_bank_version, parameter_version, vector, latent_mean, latent_variance, created_at)
    select ${member_id}, coalesce(max(version), 0) + 1, ${item_bank_version}, ${parameter_version},
      ${JSON.stringify(vector)}::jsonb, ${latent.mean}::real[], ${latent.variance}::real[], ${now}::timestamptz
    from trait_vectors where member_id = ${member_id}`);
}

/** A version of the member's vector, or the latest. */
export function findVector(
  db: Reader,
  member_id: string,
  version: number | undefined,
): Promise<StoredVector | undefined> {
  return db.find(sql<StoredVector>`
    select version, vector, created_at from trait_vectors
    where member_id = ${member_id} and version = coalesce(${version ?? null}::integer, version)
    order by version desc limit 1`);
}

import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Answer } from './items/item.ts';
import type { LatentVector, TraitVector } from './measurement/trait-vector.ts';

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

/** Locks the member's open assessment, or else the one completed last, so that concurrent answers are processed one after the other. */
export function lockNewestAssessment(tx: Transaction, member_id: string): Promise<Assessment | undefined> {
  return tx.find(sql<Assessment>`
    select id, member_id, item_bank_version, parameter_version, started_at, completed_at from assessments
    where member_id = ${member_id} order by completed_at desc nulls first limit 1 for update`);
}

/** Inserts an assessment, unless a concurrent request has just inserted an open one for the same member. */
export async function insertAssessment(tx: Transaction, assessment: Assessment): Promise<void> {
  const { id, member_id, item_bank_version, parameter_version, started_at } = assessment;
  await tx.run(sql`
    insert into assessments (id, member_id, item_bank_version, parameter_version, started_at)
    values (${id}, ${member_id}, ${item_bank_version}, ${parameter_version}, ${started_at})
    on conflict (member_id) where completed_at is null do nothing`);
}

/** What finds an assessment and its answers. */
export type AssessmentKey = Pick<Assessment, 'id' | 'member_id'>;

/** Lists the answers in the order in which they were given: at most as many as the bank has items. */
export function listAnswers(
  db: Reader,
  { id, member_id, completed_at }: Pick<Assessment, 'id' | 'member_id' | 'completed_at'>,
): Promise<readonly Answer[]> {
  return db.list(
    completed_at === null
      ? sql<Answer>`
          select item_id, option, response_time_ms from assessment_answers
          where member_id = ${member_id} and assessment_id = ${id} order by position`
      : sql<Answer>`
          select given.item_id, given.option, given.response_time_ms
          from assessments cross join unnest(item_ids, options, response_times_ms) with ordinality
            as given (item_id, option, response_time_ms, place)
          where member_id = ${member_id} and id = ${id} order by place`,
  );
}

/** Stores an answer of an open assessment. {@link completeAssessment} moves all of them into the assessment. */
export async function insertAnswer(
  tx: Transaction,
  { id, member_id }: AssessmentKey,
  position: number,
  answer: Required<Answer>,
  answered_at: Date,
): Promise<void> {
  const { item_id, option, response_time_ms } = answer;
  await tx.run(sql`
    insert into assessment_answers (member_id, assessment_id, position, item_id, option, answered_at, response_time_ms)
    values (${member_id}, ${id}, ${position}, ${item_id}, ${option}, ${answered_at}, ${response_time_ms})`);
}

/** Finds when the last answer of an open assessment was given; undefined before the first answer. */
export async function findLastAnswerTime(
  db: Reader,
  { id, member_id }: AssessmentKey,
): Promise<Date | undefined> {
  const last = await db.find(sql<{ answered_at: Date }>`
    select answered_at from assessment_answers
    where member_id = ${member_id} and assessment_id = ${id} order by position desc limit 1`);
  return last?.answered_at;
}

/** Completes an assessment and moves its answers into its own row, which takes a tenth of the space. */
export async function completeAssessment(
  tx: Transaction,
  { id, member_id }: AssessmentKey,
  flags: readonly string[],
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update assessments set completed_at = ${now}, quality_flags = ${flags},
      (item_ids, options, answer_times, response_times_ms) = (
        select array_agg(item_id order by position), array_agg(option order by position), array_agg(answered_at order by position),
          array_agg(response_time_ms order by position)
        from assessment_answers where member_id = ${member_id} and assessment_id = ${id})
    where member_id = ${member_id} and id = ${id}`);
  await tx.run(sql`
    delete from assessment_answers where member_id = ${member_id} and assessment_id = ${id}`);
}

/** Inserts the next version of the member's trait vector. The caller must hold the lock on the member's assessment. */
export async function insertVector(
  tx: Transaction,
  member_id: string,
  measurement: {
    readonly item_bank_version: string;
    readonly parameter_version: string;
    readonly vector: TraitVector;
    readonly latent: LatentVector;
    readonly now: Date;
  },
): Promise<void> {
  const { item_bank_version, parameter_version, vector, latent, now } = measurement;
  await tx.run(sql`
    insert into trait_vectors
      (member_id, version, item_bank_version, parameter_version, vector, latent_mean, latent_variance, created_at)
    select ${member_id}, coalesce(max(version), 0) + 1, ${item_bank_version}, ${parameter_version},
      ${JSON.stringify(vector)}::jsonb, ${latent.mean}::real[], ${latent.variance}::real[], ${now}::timestamptz
    from trait_vectors where member_id = ${member_id}`);
}

/** Finds a version of the member's trait vector, by default the latest. */
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

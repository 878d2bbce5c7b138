import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Answer } from './items/item.ts';
import type { QualityFlag } from './measurement/answer-quality.ts';
import type { Measurement } from './measurement/measure-answers.ts';
import type { AssessmentStage } from './measurement/stages.ts';
import type { TraitVector } from './measurement/trait-vector.ts';
import { listedFirst } from './store-latest.ts';

export type Assessment = {
  readonly id: string;
  readonly member_id: string;
  readonly item_bank_version: string;
  readonly parameter_version: string;
  /** In which its items are read; null, of those from before languages, is that of the parameters. */
  readonly language: string | null;
  readonly started_at: Date;
  /** When the latest result was recorded; null before the end of the first stage. */
  readonly completed_at: Date | null;
  readonly stage: AssessmentStage;
  /** The number of answers that the latest result is based on. */
  readonly counted_answers: number;
  /** The item that waits for its answer, unless there are answers since the latest result: then it is stored with the last of them. */
  readonly next_item_id: string | null;
  /** How much the certainty of the member's matches depends on each trait, in slot order. */
  readonly trait_stakes: readonly number[] | null;
  /** Signals of careless or idealised answers; empty before the end. */
  readonly quality_flags: readonly string[];
  /** Whether the member's assessment before this one ended with such signals. */
  readonly follows_flagged: boolean;
};

export type StoredVector = {
  readonly version: number;
  readonly stage: AssessmentStage;
  readonly vector: TraitVector;
  /** Whether the parameters of the items were not yet calibrated with the answers of enough respondents. */
  readonly provisional: boolean;
  /** Of the assessment that the vector comes from. */
  readonly quality_flags: readonly QualityFlag[];
  readonly created_at: Date;
};

/** Locks the member's open assessment, or else the one with the latest result, so that concurrent answers are processed one after the other. */
export function lockNewestAssessment(tx: Transaction, member_id: string): Promise<Assessment | undefined> {
  return tx.find(sql<Assessment>`
    select id, member_id, item_bank_version, parameter_version, language, started_at, completed_at, stage,
      coalesce(cardinality(item_ids), 0) as counted_answers, next_item_id, to_json(trait_stakes) as trait_stakes,
      to_json(quality_flags) as quality_flags,
      coalesce((
        select earlier.quality_flags <> '{}' from assessments as earlier
        where earlier.member_id = ${member_id} and earlier.id <> assessments.id
        order by earlier.completed_at desc limit 1), false) as follows_flagged
    from assessments
    where member_id = ${member_id} order by completed_at desc nulls first limit 1 for update`);
}

export type NewAssessment = Pick<
  Assessment,
  'id' | 'member_id' | 'item_bank_version' | 'parameter_version' | 'language' | 'started_at'
>;

/** Inserts an assessment, unless a concurrent request has just inserted an open one for the same member. */
export async function insertAssessment(tx: Transaction, assessment: NewAssessment): Promise<void> {
  const { id, member_id, item_bank_version, parameter_version, language, started_at } = assessment;
  await tx.run(sql`
    insert into assessments (id, member_id, item_bank_version, parameter_version, language, started_at)
    values (${id}, ${member_id}, ${item_bank_version}, ${parameter_version}, ${language}, ${started_at})
    on conflict (member_id) where completed_at is null do nothing`);
}

export type AssessmentKey = Pick<Assessment, 'id' | 'member_id'>;

/** An answer, and for those since the latest result also when it was given, and which item was shown after it. */
type GivenAnswer = Required<Answer> & {
  readonly answered_at: Date | null;
  readonly next_item_id: string | null;
};

/** Lists the answers in the order in which they were given: at most as many as the bank has items. */
export function listAnswers(db: Reader, { id, member_id }: AssessmentKey): Promise<readonly GivenAnswer[]> {
  return db.list(sql<GivenAnswer>`
    select item_id, option, response_time_ms, answered_at, next_item_id from (
      select place - 1 as position, counted.item_id, counted.option, counted.response_time_ms, null::timestamptz as answered_at,
        null as next_item_id
      from assessments cross join unnest(item_ids, options, response_times_ms) with ordinality
        as counted (item_id, option, response_time_ms, place)
      where member_id = ${member_id} and id = ${id}
      union all
      select position, item_id, option, response_time_ms, answered_at, next_item_id from assessment_answers
      where member_id = ${member_id} and assessment_id = ${id}) as given
    order by position`);
}

/** Stores an answer that no result is based on yet. {@link countAnswers} moves these answers into the assessment. */
export async function insertAnswer(
  tx: Transaction,
  { id, member_id }: AssessmentKey,
  position: number,
  answer: GivenAnswer & { readonly answered_at: Date },
): Promise<void> {
  const { item_id, option, response_time_ms, answered_at, next_item_id } = answer;
  await tx.run(sql`
    insert into assessment_answers (
      member_id, assessment_id, position, item_id, option, answered_at, response_time_ms, next_item_id)
    values (
      ${member_id}, ${id}, ${position}, ${item_id}, ${option}, ${answered_at}, ${response_time_ms}, ${next_item_id})`);
}

/** Deletes the last answer since the latest result. @returns its item; undefined if there is no such answer. */
export async function deleteLastAnswer(
  tx: Transaction,
  { id, member_id }: AssessmentKey,
): Promise<string | undefined> {
  const deleted = await tx.find(sql<{ item_id: string }>`
    delete from assessment_answers
    where member_id = ${member_id} and assessment_id = ${id} and position = (
      select max(position) from assessment_answers where member_id = ${member_id} and assessment_id = ${id})
    returning item_id`);
  return deleted?.item_id;
}

/** Stores which item waits for its answer: with the last answer, or with the assessment if a result is based on all answers. */
export async function updateNextItem(
  tx: Transaction,
  { id, member_id }: AssessmentKey,
  next_item_id: string | null,
): Promise<void> {
  const stored = await tx.run(sql`
    update assessment_answers set next_item_id = ${next_item_id}
    where member_id = ${member_id} and assessment_id = ${id} and position = (
      select max(position) from assessment_answers where member_id = ${member_id} and assessment_id = ${id})`);
  if (stored > 0) return;
  await tx.run(sql`
    update assessments set next_item_id = ${next_item_id} where member_id = ${member_id} and id = ${id}`);
}

/** Stores the language in which the items of an assessment are read. */
export async function updateLanguage(
  tx: Transaction,
  { id, member_id }: AssessmentKey,
  language: string,
): Promise<void> {
  await tx.run(
    sql`update assessments set language = ${language} where member_id = ${member_id} and id = ${id}`,
  );
}

/** Stores how much depends on each trait, in slot order, for the choice of the items that deepen the assessment. */
export async function updateTraitStakes(
  tx: Transaction,
  member_id: string,
  stakes: readonly number[],
): Promise<void> {
  await tx.run(sql`
    update assessments set trait_stakes = ${stakes}::real[] where member_id = ${member_id} and stage = 'deepening'`);
}

/** Lists those of the members who deepen their assessment. */
export async function listDeepeningMembers(
  db: Reader,
  member_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (member_ids.length === 0) return new Set();
  const rows = await db.list(sql<{ member_id: string }>`
    select distinct member_id from assessments where member_id = any(${member_ids}::uuid[]) and stage = 'deepening'`);
  return new Set(rows.map(({ member_id }) => member_id));
}

/**
 * Moves the answers since the latest result into the assessment's own row, which takes a tenth of the space, and records the result's stage
 * and time.
 */
export async function countAnswers(
  tx: Transaction,
  { id, member_id }: AssessmentKey,
  result: {
    readonly stage: AssessmentStage;
    readonly flags: readonly string[];
    readonly now: Date;
    readonly next_item_id: string | null;
  },
): Promise<void> {
  await tx.run(sql`
    update assessments set completed_at = ${result.now}, stage = ${result.stage}, quality_flags = ${result.flags},
      next_item_id = ${result.next_item_id},
      (item_ids, options, answer_times, response_times_ms) = (
        select coalesce(assessments.item_ids, '{}') || array_agg(item_id order by position),
          coalesce(assessments.options, '{}') || array_agg(option order by position),
          coalesce(assessments.answer_times, '{}') || array_agg(answered_at order by position),
          coalesce(assessments.response_times_ms, '{}') || array_agg(response_time_ms order by position)
        from assessment_answers where member_id = ${member_id} and assessment_id = ${id})
    where member_id = ${member_id} and id = ${id}`);
  await deleteUncountedAnswers(tx, { id, member_id });
}

/** Deletes the answers since the latest result. */
export async function deleteUncountedAnswers(
  tx: Transaction,
  { id, member_id }: AssessmentKey,
): Promise<void> {
  await tx.run(sql`
    delete from assessment_answers where member_id = ${member_id} and assessment_id = ${id}`);
}

/** Finds the version that the member's next trait vector gets. It is higher than all before, deleted ones of the assessment included. */
export async function findNextVersion(db: Reader, member_id: string): Promise<number> {
  const { next } = await db.one(sql<{ next: number }>`
    select coalesce(max(version), 0) + 1 as next from trait_vectors where member_id = ${member_id}`);
  return next;
}

/** Inserts a version of the member's trait vector. The caller must hold the lock on the member's assessment. */
export async function insertVector(
  tx: Transaction,
  { id, member_id, item_bank_version }: Pick<Assessment, 'id' | 'member_id' | 'item_bank_version'>,
  result: { readonly version: number; readonly stage: AssessmentStage; readonly now: Date },
  measurement: Measurement,
): Promise<void> {
  const { parameter_version, provisional, answer_count, vector, latent } = measurement;
  await tx.run(sql`
    insert into trait_vectors (member_id, version, assessment_id, answer_count, item_bank_version, parameter_version, provisional,
      stage, vector, latent_mean, latent_variance, created_at)
    values (${member_id}, ${result.version}, ${id}, ${answer_count}, ${item_bank_version}, ${parameter_version}, ${provisional},
      ${result.stage}, ${JSON.stringify(vector)}::jsonb, ${latent.mean}::real[], ${latent.variance}::real[],
      ${result.now}::timestamptz)`);
}

/** Deletes the preliminary versions of the member's trait vector, which the next one replaces. */
export async function deletePreliminaryVectors(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from trait_vectors where member_id = ${member_id} and stage <> 'complete'`);
}

/** Finds a version of the member's trait vector, by default the latest of those that lists use. */
export function findVector(
  db: Reader,
  member_id: string,
  version: number | undefined,
): Promise<StoredVector | undefined> {
  return db.find(sql<StoredVector>`
    select version, stage, vector, provisional, created_at,
      coalesce((select to_json(quality_flags) from assessments where member_id = ${member_id} and id = assessment_id), '[]') as quality_flags
    from trait_vectors where member_id = ${member_id} and version = coalesce(${version ?? null}::integer, version)
    order by ${listedFirst}, version desc limit 1`);
}

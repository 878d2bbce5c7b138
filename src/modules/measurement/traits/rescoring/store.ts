import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Answer } from '../items/item.ts';
import type { Measurement } from '../measurement/measure-answers.ts';
import type { AssessmentStage } from '../measurement/stages.ts';
import { ownBank } from '../parameters/store.ts';
import { observed_source } from '../store-observed.ts';

/** Finds the version of the parameters whose vectors all lists use; undefined as long as there is only one version. */
export async function findListedVersion(db: Reader): Promise<string | undefined> {
  const last = await db.find(sql<{ parameter_version: string }>`
    select parameter_version from listed_vector_versions order by position desc limit 1`);
  return last?.parameter_version;
}

/** Makes all lists use the vectors of another version from now on. The caller must hold the lock of `lockUses`. */
export async function insertSwitch(tx: Transaction, parameter_version: string, now: Date): Promise<void> {
  await tx.run(sql`
    insert into vector_switches (parameter_version, switched_at) values (${parameter_version}, ${now})`);
}

/** Finds the version of a vector other than this one; undefined if all vectors that come from answers have it. */
export async function findOtherVersion(db: Reader, parameter_version: string): Promise<string | undefined> {
  const other = await db.find(sql<{ parameter_version: string }>`
    select parameter_version from trait_vectors where parameter_version <> ${parameter_version} and parameter_version <> ${observed_source} limit 1`);
  return other?.parameter_version;
}

/** A run of scoring all stored answers again. */
export type Rescoring = {
  readonly position: number;
  readonly parameter_version: string;
  /** The members up to this id are done. */
  readonly after_member: string;
  readonly done: number;
  /** The members whose answers cannot be scored, because they answered another bank or the bank has none of their items any more. */
  readonly left_out: number;
  readonly total: number;
  readonly started_at: Date;
  readonly ended_at: Date | null;
};

/** Finds the newest run, which may have ended. */
export function findNewestRescoring(db: Reader): Promise<Rescoring | undefined> {
  return db.find(sql<Rescoring>`
    select position, parameter_version, after_member, done, left_out, total, started_at, ended_at
    from vector_rescorings order by position desc limit 1`);
}

/** Locks the open run, so that two workers take turns; undefined if there is none. */
export function lockOpenRescoring(tx: Transaction): Promise<Rescoring | undefined> {
  return tx.find(sql<Rescoring>`
    select position, parameter_version, after_member, done, left_out, total, started_at, ended_at
    from vector_rescorings where ended_at is null for update`);
}

export async function insertRescoring(
  tx: Transaction,
  {
    parameter_version,
    total,
    now,
  }: { readonly parameter_version: string; readonly total: number; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into vector_rescorings (parameter_version, total, started_at) values (${parameter_version}, ${total}, ${now})`);
}

/** Records that further members are done. */
export async function advanceRescoring(
  tx: Transaction,
  { position }: Rescoring,
  { after_member, done, left_out }: Pick<Rescoring, 'after_member' | 'done' | 'left_out'>,
): Promise<void> {
  await tx.run(sql`
    update vector_rescorings set after_member = ${after_member}, done = done + ${done}, left_out = left_out + ${left_out}
    where position = ${position}`);
}

/** Ends the open run, if there is one: it is complete, or another version is wanted. */
export async function endOpenRescoring(tx: Executor, now: Date): Promise<void> {
  await tx.run(sql`update vector_rescorings set ended_at = ${now} where ended_at is null`);
}

/** Lists the ids of the next members with a result who consent to assessment_data, in order of id. */
export async function listMeasuredMembers(
  db: Reader,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ member_id: string }>`
    select distinct member_id from assessments
    where completed_at is not null and member_id > ${after}::uuid and exists (
      select from granted_consents
      where granted_consents.member_id = assessments.member_id and consent_type = 'assessment_data')
    order by member_id limit ${limit}`);
  return rows.map(({ member_id }) => member_id);
}

/** The answers behind the latest result of a member, which is preliminary unless the stage is `complete`. */
export type StoredAnswers = {
  readonly member_id: string;
  readonly assessment_id: string;
  readonly item_bank_version: string;
  readonly stage: AssessmentStage;
  /** The bank that was asked. */
  readonly bank: string;
  /** In which it was read; null is that of the parameters. */
  readonly language: string | null;
  readonly answers: readonly Answer[];
};

/** Lists the answers behind the latest results of members. Arrays are read as JSON, which the driver parses natively. */
export async function listLastAnswers(db: Reader, member_ids: readonly string[]): Promise<StoredAnswers[]> {
  const rows = await db.list(sql<AnswerRow>`
    select distinct on (member_id) member_id, id as assessment_id, item_bank_version, language, stage, to_json(item_ids) as item_ids,
      coalesce((select bank from item_parameter_versions as versions where versions.version = assessments.parameter_version), ${ownBank}) as bank,
      to_json(options) as options, to_json(response_times_ms) as response_times_ms
    from assessments where member_id = any(${member_ids}::uuid[]) and completed_at is not null
    order by member_id, completed_at desc`);
  return rows.map(({ item_ids, options, response_times_ms, ...row }) => ({
    ...row,
    answers: item_ids.map((item_id, place) => {
      const answer = { item_id, option: options[place]! };
      const response_time_ms = response_times_ms?.[place];
      return typeof response_time_ms === 'number' ? { ...answer, response_time_ms } : answer;
    }),
  }));
}

type AnswerRow = Omit<StoredAnswers, 'answers'> & {
  readonly item_ids: readonly string[];
  readonly options: readonly number[];
  /** Null, or null for an answer, if the client did not measure times. */
  readonly response_times_ms: readonly (number | null)[] | null;
};

/** A vector that was computed again from stored answers. */
export type RescoredVector = Measurement & Omit<StoredAnswers, 'answers' | 'bank' | 'language'>;

/** Inserts vectors as the next version of their members, except those that exist. @returns how many were inserted. */
export async function insertRescoredVectors(
  tx: Transaction,
  vectors: readonly RescoredVector[],
  now: Date,
): Promise<number> {
  const member_ids = vectors.map(({ member_id }) => member_id);
  // unnest flattens nested arrays, so each vector is passed as the text of an array.
  const formatArray = (values: readonly number[]) => `{${values.join()}}`;
  // The rows are counted, because Citus says how many were selected and not how many were inserted.
  const inserted = await tx.list(sql<{ member_id: string }>`
    insert into trait_vectors (member_id, version, assessment_id, answer_count, item_bank_version, parameter_version, provisional, stage,
      vector, latent_mean, latent_variance, created_at)
    select given.member_id, coalesce(latest.version, 0) + 1, assessment_id, answer_count, item_bank_version, parameter_version, provisional, stage,
      vector::jsonb, mean::real[], variance::real[], ${now}::timestamptz
    from unnest(
      ${member_ids}::uuid[], ${vectors.map(({ assessment_id }) => assessment_id)}::uuid[],
      ${vectors.map(({ answer_count }) => answer_count)}::smallint[],
      ${vectors.map(({ item_bank_version }) => item_bank_version)}::text[],
      ${vectors.map(({ parameter_version }) => parameter_version)}::text[],
      ${vectors.map(({ provisional }) => provisional)}::boolean[], ${vectors.map(({ stage }) => stage)}::text[],
      ${vectors.map(({ vector }) => JSON.stringify(vector))}::text[],
      ${vectors.map(({ latent }) => formatArray(latent.mean))}::text[],
      ${vectors.map(({ latent }) => formatArray(latent.variance))}::text[]
    ) as given (member_id, assessment_id, answer_count, item_bank_version, parameter_version, provisional, stage, vector, mean, variance)
      left join (
        select member_id, max(version) as version from trait_vectors where member_id = any(${member_ids}::uuid[]) group by member_id
      ) as latest on latest.member_id = given.member_id
    on conflict (member_id, assessment_id, answer_count, parameter_version) do nothing returning member_id`);
  return inserted.length;
}

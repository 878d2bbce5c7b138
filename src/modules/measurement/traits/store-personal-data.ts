import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

type StoredRow = Readonly<Record<string, unknown>>;

/** Lists the member's assessments, oldest first. */
export function listAssessments(db: Reader, member_id: string): Promise<StoredRow[]> {
  return db.list(sql<StoredRow>`
    select id, item_bank_version, parameter_version, language, stage, started_at, completed_at, quality_flags, trait_stakes from assessments
    where member_id = ${member_id} order by started_at, id`);
}

/** Lists all answers of the member, oldest first. */
export function listAllAnswers(db: Reader, member_id: string): Promise<StoredRow[]> {
  return db.list(sql<StoredRow>`
    select assessment_id, position, item_id, option, answered_at, response_time_ms from (
      select started_at, id as assessment_id, place::integer - 1 as position, item_id, option, answered_at, response_time_ms
      from assessments cross join unnest(item_ids, options, answer_times, response_times_ms) with ordinality
        as given (item_id, option, answered_at, response_time_ms, place)
      where member_id = ${member_id}
      union all
      select started_at, assessment_id, position, item_id, option, answered_at, response_time_ms
      from assessment_answers as given join assessments on assessments.member_id = given.member_id and assessments.id = assessment_id
      where given.member_id = ${member_id} and assessments.member_id = ${member_id}) as answers
    order by started_at, assessment_id, position`);
}

/** Lists all versions of the member's trait vector, in both forms. */
export function listVectors(db: Reader, member_id: string): Promise<StoredRow[]> {
  return db.list(sql<StoredRow>`
    select version, assessment_id, answer_count, item_bank_version, parameter_version, provisional, stage, created_at, vector, latent_mean,
      latent_variance from trait_vectors
    where member_id = ${member_id} order by version`);
}

/** Deletes the member's assessments, answers and trait vectors. */
export async function deleteMeasurements(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from trait_vectors where member_id = ${member_id}`);
  await tx.run(sql`delete from assessment_answers where member_id = ${member_id}`);
  await tx.run(sql`delete from assessments where member_id = ${member_id}`);
}

import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

type Held = Readonly<Record<string, unknown>>;

/** The member's assessments, the oldest first. */
export function listAssessments(db: Reader, member_id: string): Promise<Held[]> {
  return db.list(sql<Held>`
    select id, item_bank_version, parameter_version, started_at, completed_at, quality_flags from assessments
    where member_id = ${member_id} order by started_at, id`);
}

/** Every answer that the member ever gave, in order. */
export function listAllAnswers(db: Reader, member_id: string): Promise<Held[]> {
  return db.list(sql<Held>`
    select assessment_id, position, item_id, option, answered_at, response_time_ms
    from assessment_answers join assessments on assessments.id = assessment_id
    where member_id = ${member_id} order by started_at, assessment_id, position`);
}

/** Every version of the member's vector, in both of its forms. */
export function listVectors(db: Reader, member_id: string): Promise<Held[]> {
  return db.list(sql<Held>`
    select version, item_bank_version, parameter_version, created_at, vector, latent_mean, latent_variance from trait_vectors
    where member_id = ${member_id} order by version`);
}

/** Deletes everything that the member answered, and everything that was measured from it. */
export async function deleteMeasurements(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from trait_vectors where member_id = ${member_id}`);
  await tx.run(sql`
    delete from assessment_answers where assessment_id in (select id from assessments where member_id = ${member_id})`);
  await tx.run(sql`delete from assessments where member_id = ${member_id}`);
}

import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

type Held = Readonly<Record<string, unknown>>;

/** Every match of the member, with the names that the member knows it by. */
export function listAllMatches(db: Reader, member_id: string): Promise<Held[]> {
  return db.list(sql<Held>`
    select matches.id, job_outlines.title as job_title, organisation_names.name as org_name, match_quality, confidence_level, match_status,
      withdrawn_from, expired_from, computed_at, matches.created_at
    from matches join job_outlines on job_outlines.id = matches.job_id
      join organisation_names on organisation_names.id = matches.org_id
    where member_id = ${member_id} order by matches.created_at, matches.id`);
}

/** Deletes every match of the member. */
export async function deleteMemberMatches(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from matches where member_id = ${member_id}`);
}

/** What the member wants of a job, as it is kept. */
export function listPreferences(db: Reader, member_id: string): Promise<Held[]> {
  return db.list(sql<Held>`
    select clearance_held, remote_policies, salary_min, salary_currency, "values", updated_at from matching_preferences
    where member_id = ${member_id}`);
}

/** Deletes what the member wants of a job. That the member changed, `matching_changes` forgets with the member's own row. */
export async function deletePreferences(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from matching_preferences where member_id = ${member_id}`);
}

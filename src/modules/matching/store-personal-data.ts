import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

type ExportedRow = Readonly<Record<string, unknown>>;

/** Lists all matches of the member, with the job title and the name of the organisation. */
export function listAllMatches(db: Reader, member_id: string): Promise<ExportedRow[]> {
  return db.list(sql<ExportedRow>`
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

/** Lists the stored preferences of the member: one row or none. */
export function listPreferences(db: Reader, member_id: string): Promise<ExportedRow[]> {
  return db.list(sql<ExportedRow>`
    select clearance_held, remote_policies, salary_min, salary_currency, "values", updated_at from matching_preferences
    where member_id = ${member_id}`);
}

/** Deletes the preferences of the member. The member's entries in `matching_changes` are removed together with the member's row. */
export async function deletePreferences(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from matching_preferences where member_id = ${member_id}`);
}

import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import { listMemberKeys } from './store-member-matches.ts';

type ExportedRow = Readonly<Record<string, unknown>>;

/** Lists all matches of the member, with the job title and the name of the organisation. */
export async function listAllMatches(db: Reader, member_id: string): Promise<ExportedRow[]> {
  const keys = await listMemberKeys(db, member_id);
  return db.list(sql<ExportedRow>`
    select matches.id, job_outlines.title as job_title, organisation_names.name as org_name, match_quality, confidence_level, provisional,
      match_status, withdrawn_from, expired_from, matches.computed_at, matches.created_at
    from unnest(${keys.map(({ job_id }) => job_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as own (job_id, id)
      join matches on matches.job_id = own.job_id and matches.id = own.id
      join job_outlines on job_outlines.id = matches.job_id
      join organisation_names on organisation_names.id = matches.org_id
    order by matches.created_at, matches.id`);
}

/** Lists the stored explanations of the member's matches. */
export async function listExplanations(db: Reader, member_id: string): Promise<ExportedRow[]> {
  const keys = await listMemberKeys(db, member_id);
  return db.list(sql<ExportedRow>`
    select match_id, explanation, generated_at
    from unnest(${keys.map(({ job_id }) => job_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as own (job_id, id)
      join match_explanations on match_explanations.job_id = own.job_id and match_id = own.id
    order by generated_at, match_id`);
}

/** Lists the notes of both sides on the member's matches. */
export async function listNotes(db: Reader, member_id: string): Promise<ExportedRow[]> {
  const keys = await listMemberKeys(db, member_id);
  return db.list(sql<ExportedRow>`
    select match_id, requirements, organisation_note, member_note
    from unnest(${keys.map(({ job_id }) => job_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as own (job_id, id)
      join match_contacts on match_contacts.job_id = own.job_id and match_id = own.id
    order by match_id`);
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

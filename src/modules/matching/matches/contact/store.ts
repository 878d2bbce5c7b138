import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Match, MatchKey } from '../store.ts';

/** What both sides have added to a match since the organisation's interest. */
export type MatchContact = {
  readonly contact_user_id: string | null;
  readonly organisation_note: string | null;
  readonly member_note: string | null;
};

/** Finds what both sides have added to a match. */
export function findMatchContact(
  db: Reader,
  { id, job_id }: Pick<Match, 'id' | 'job_id'>,
): Promise<MatchContact | undefined> {
  return db.find(sql<MatchContact>`
    select contact_user_id, organisation_note, member_note from match_contacts
    where job_id = ${job_id} and match_id = ${id}`);
}

/** Stores who expressed the interest. A later call keeps it, and replaces the note if one is given. */
export function upsertMatchContact(
  tx: Transaction,
  { id, job_id }: Pick<MatchKey, 'id' | 'job_id'>,
  contact_user_id: string | null,
  note: string | null | undefined,
): void {
  void tx.runAhead(sql`
    insert into match_contacts as kept (job_id, match_id, contact_user_id, organisation_note)
    values (${job_id}, ${id}, ${contact_user_id}, ${note ?? null})
    on conflict (job_id, match_id) do update set organisation_note =
      case when ${note !== undefined} then excluded.organisation_note else kept.organisation_note end`);
}

/** Deletes who expressed an interest that is withdrawn, with the note. */
export function deleteMatchContact(tx: Transaction, { id, job_id }: Pick<MatchKey, 'id' | 'job_id'>): void {
  void tx.runAhead(sql`delete from match_contacts where job_id = ${job_id} and match_id = ${id}`);
}

/** Stores the member's note, or deletes it with null. */
export function upsertMemberNote(
  tx: Transaction,
  { id, job_id }: Pick<MatchKey, 'id' | 'job_id'>,
  note: string | null,
): void {
  void tx.runAhead(sql`
    insert into match_contacts (job_id, match_id, member_note)
    values (${job_id}, ${id}, ${note})
    on conflict (job_id, match_id) do update set member_note = excluded.member_note`);
}

/** A user whom a member can write to. */
export type ContactPerson = { readonly contact_name: string | null; readonly contact_email: string };

/**
 * Finds the organisation's contact person: the user who expressed the interest, if the account is still active; otherwise its first active
 * administrator. Undefined if the organisation has none or is suspended.
 */
export function findContactPerson(
  db: Reader,
  org_id: string,
  preferred: string | null,
): Promise<ContactPerson | undefined> {
  return db.find(sql<ContactPerson>`
    select display_name as contact_name, email as contact_email from org_users
    where org_id = ${org_id} and suspended_at is null and org_id not in (select id from suspended_organisations) and (id = ${preferred} or role = 'org_admin')
    order by id is distinct from ${preferred}::uuid, created_at, id limit 1`);
}

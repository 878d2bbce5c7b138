import { randomUUID } from 'node:crypto';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Profile } from './profile-fields.ts';

export type NewDeployedMember = Profile & { readonly display_name: string };

/** Adds many synthetic members at level 4 in one statement, without user accounts. @returns their ids in the same order. */
export async function insertDeployedMembers(
  tx: Transaction,
  members: readonly NewDeployedMember[],
  now: Date,
): Promise<readonly string[]> {
  const ids = members.map(() => randomUUID());
  const readColumn = <Value>(of: (member: NewDeployedMember) => Value) => members.map(of);
  await tx.run(sql`
    insert into members (id, display_name, current_industry, years_experience, education_level, location_country,
      location_state, assessment_phase, email_verified, assessment_consented, matching_consented, is_synthetic, created_at)
    select *, 'complete', true, true, true, true, ${now}::timestamptz from unnest(
      ${ids}::uuid[], ${readColumn((member) => member.display_name)}::text[], ${readColumn((member) => member.current_industry)}::text[],
      ${readColumn((member) => member.years_experience)}::integer[], ${readColumn((member) => member.education_level)}::text[],
      ${readColumn((member) => member.location_country)}::text[], ${readColumn((member) => member.location_state)}::text[])`);
  return ids;
}

/** Counts the synthetic members. */
export function countSyntheticMembers(db: Reader): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from members where is_synthetic`);
}

/** Marks some synthetic members for deletion and so locks them: they can be erased in the same transaction. @returns their ids. */
export async function markSyntheticMembers(tx: Transaction, limit: number): Promise<readonly string[]> {
  const rows = await tx.list(
    sql<{ id: string }>`select id from members where is_synthetic order by id limit ${limit}`,
  );
  const ids = rows.map(({ id }) => id);
  await tx.run(sql`update members set account_status = 'pending_deletion' where id = any(${ids}::uuid[])`);
  return ids;
}

import { randomBytes, randomUUID } from 'node:crypto';
import { external_id_bytes, formatExternalId } from '#lib/external-id.ts';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Profile } from './rules.ts';

export type NewDeployedMember = Profile & { readonly display_name: string };

const rounds_max = 10;

/** Adds many synthetic members at level 4 in one statement, without user accounts. @returns their ids in the same order. */
export async function insertDeployedMembers(
  tx: Transaction,
  members: readonly NewDeployedMember[],
  now: Date,
): Promise<readonly string[]> {
  const all = members.map((member) => ({ ...member, id: randomUUID() }));
  let remaining: readonly DrawnMember[] = all;
  // An external id that is already used is drawn again, as it is for a single member.
  for (let round = 0; round < rounds_max && remaining.length > 0; round++) {
    const insertedIds = new Set(await insertDrawnMembers(tx, remaining, now));
    remaining = remaining.filter(({ id }) => !insertedIds.has(id));
  }
  if (remaining.length > 0) throw new Error('no free external ids were drawn');
  return all.map(({ id }) => id);
}

type DrawnMember = NewDeployedMember & { readonly id: string };

async function insertDrawnMembers(
  tx: Transaction,
  members: readonly DrawnMember[],
  now: Date,
): Promise<readonly string[]> {
  const readColumn = <Value>(of: (member: DrawnMember) => Value) => members.map(of);
  const rows = await tx.list(sql<{ id: string }>`
    insert into members (id, external_id, display_name, current_industry, years_experience, education_level, location_country,
      location_state, assessment_phase, email_verified, assessment_consented, matching_consented, is_synthetic, created_at)
    select *, 'complete', true, true, true, true, ${now}::timestamptz from unnest(
      ${readColumn(({ id }) => id)}::uuid[], ${readColumn(() => formatExternalId('MBR', randomBytes(external_id_bytes)))}::text[],
      ${readColumn((member) => member.display_name)}::text[], ${readColumn((member) => member.current_industry)}::text[],
      ${readColumn((member) => member.years_experience)}::integer[], ${readColumn((member) => member.education_level)}::text[],
      ${readColumn((member) => member.location_country)}::text[], ${readColumn((member) => member.location_state)}::text[])
    on conflict (external_id) do nothing returning id`);
  return rows.map(({ id }) => id);
}

/** Counts the synthetic members. */
export async function countSyntheticMembers(db: Reader): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`select count(*) from members where is_synthetic`);
  return count;
}

/** Locks some synthetic members and marks them for deletion, so that they can be erased in the same transaction. @returns their ids. */
export async function markSyntheticMembers(tx: Transaction, limit: number): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    update members set account_status = 'pending_deletion'
    where id in (select id from members where is_synthetic order by id limit ${limit} for update) returning id`);
  return rows.map(({ id }) => id);
}

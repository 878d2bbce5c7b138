import { randomBytes, randomUUID } from 'node:crypto';
import { external_id_bytes, externalId } from '#lib/external-id.ts';
import { sql, type Transaction } from '#platform/database.ts';
import type { Profile } from './rules.ts';

export type NewDeployedMember = Profile & { readonly display_name: string };

/** Adds many members at level 4 in one statement, without accounts to sign in with; @returns their ids in the same order. */
export async function insertDeployedMembers(
  tx: Transaction,
  members: readonly NewDeployedMember[],
  now: Date,
): Promise<readonly string[]> {
  const ids = members.map(() => randomUUID());
  const external_ids = members.map(() => externalId('MBR', randomBytes(external_id_bytes)));
  await tx.run(sql`
    insert into members (id, external_id, display_name, current_industry, years_experience, education_level, location_country,
      location_state, assessment_phase, email_verified, assessment_consented, matching_consented, created_at)
    select *, 'complete', true, true, true, ${now}::timestamptz from unnest(
      ${ids}::uuid[], ${external_ids}::text[], ${members.map((member) => member.display_name)}::text[],
      ${members.map((member) => member.current_industry)}::text[], ${members.map((member) => member.years_experience)}::integer[],
      ${members.map((member) => member.education_level)}::text[], ${members.map((member) => member.location_country)}::text[],
      ${members.map((member) => member.location_state)}::text[])`);
  return ids;
}

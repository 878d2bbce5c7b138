import { formatExternalId } from '#lib/external-id.ts';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { computeEngagementLevel, type Member } from './rules.ts';
import { deleteMember, findMember } from './store.ts';

/** Returns the member with their profile and the facts that decide the engagement level. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const member = await findMember(db, member_id);
  return [{ name: 'member', rows: member ? [buildRow(member)] : [] }];
}

function buildRow(member: Member): PersonalDataRows['rows'][number] {
  const external_id = formatExternalId('MBR', member.id);
  return { ...member, external_id, engagement_level: computeEngagementLevel(member) };
}

/** Deletes the member. All rows that refer to the member must be deleted first. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteMember(tx, member_id);
}

import type { Reader, Transaction } from '#platform/database/database.ts';
import type { HeldRows } from '#platform/personal-data.ts';
import { engagementLevel } from './rules.ts';
import { deleteMember, findMember } from './store.ts';

/** The member with their profile and the facts that decide the engagement level. */
export async function exportOf(db: Reader, member_id: string): Promise<readonly HeldRows[]> {
  const member = await findMember(db, member_id);
  return [{ name: 'member', rows: member ? [{ ...member, engagement_level: engagementLevel(member) }] : [] }];
}

/** Deletes the member; everything that points at the member goes before. */
export async function erase(tx: Transaction, member_id: string): Promise<void> {
  await deleteMember(tx, member_id);
}

import { randomBytes } from 'node:crypto';
import { external_id_bytes, formatExternalId } from '#lib/external-id.ts';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Member } from './rules.ts';

const columns = sql`
  id, external_id, display_name, created_at, account_status, assessment_phase, email_verified, assessment_consented, matching_consented,
  current_industry, years_experience, education_level, location_country, location_state`;

/** The member with an id, or undefined. */
export function findMember(db: Reader, id: string): Promise<Member | undefined> {
  return db.find(sql<Member>`select ${columns} from members where id = ${id}`);
}

/** The member with an id, locked against concurrent changes. Rows that refer to the member can still be added. */
export function lockMember(tx: Transaction, id: string): Promise<Member | undefined> {
  return tx.find(sql<Member>`select ${columns} from members where id = ${id} for no key update`);
}

/** Counts the members. */
export async function countMembers(db: Reader): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`select count(*) from members`);
  return count;
}

/** Locks the deployed ones among these members in share mode: they stay deployed until the transaction ends. Returns their ids. */
export async function lockDeployedMembers(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.list(sql<{ id: string }>`
    select id from deployed_members where id = any(${ids}::uuid[]) order by id for share`);
  return new Set(rows.map(({ id }) => id));
}

/** Locks a member in share mode if the account is active: it stays active until the transaction ends. Returns whether it is. */
export async function lockActiveMember(tx: Transaction, id: string): Promise<boolean> {
  return (
    (await tx.run(sql`select from members where id = ${id} and account_status = 'active' for share`)) > 0
  );
}

const draws_max = 10;

/** Adds an active member with an empty profile, at level 1. Tests replace `draw`. */
export async function insertMember(
  tx: Transaction,
  { id, display_name, now }: { readonly id: string; readonly display_name: string; readonly now: Date },
  draw: (size: number) => Uint8Array = randomBytes,
): Promise<void> {
  for (let drawn = 0; drawn < draws_max; drawn++) {
    const external_id = formatExternalId('MBR', draw(external_id_bytes));
    const inserted_rows = await tx.run(sql`
      insert into members (id, external_id, display_name, created_at) values (${id}, ${external_id}, ${display_name}, ${now})
      on conflict (external_id) do nothing`);
    if (inserted_rows === 1) return;
  }
  throw new Error('no free external id was drawn');
}

/** Gives a member another name. */
export async function updateDisplayName(tx: Transaction, id: string, display_name: string): Promise<void> {
  await tx.run(sql`update members set display_name = ${display_name} where id = ${id}`);
}

/** Updates every field of a member that can change, except the name. */
export async function updateMember(tx: Transaction, member: Member): Promise<void> {
  await tx.run(sql`
    update members set
      account_status = ${member.account_status}, assessment_phase = ${member.assessment_phase},
      email_verified = ${member.email_verified}, assessment_consented = ${member.assessment_consented},
      matching_consented = ${member.matching_consented}, current_industry = ${member.current_industry},
      years_experience = ${member.years_experience}, education_level = ${member.education_level},
      location_country = ${member.location_country}, location_state = ${member.location_state}
    where id = ${member.id}`);
}

/** Deletes a member. All rows that refer to the member must be deleted first. */
export async function deleteMember(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`delete from members where id = ${id}`);
}

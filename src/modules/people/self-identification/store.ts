import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { CountedIdentity, SelfIdentification } from './rules.ts';

const columns = sql`genders as gender, age_band, ethnicities as ethnicity, disability`;

export function findAnswers(db: Reader, member_id: string): Promise<SelfIdentification | undefined> {
  return db.find(sql<SelfIdentification>`
    select ${columns} from self_identifications where member_id = ${member_id}`);
}

/** Stores the answers of the member and replaces earlier ones. @returns them as stored. */
export function upsertAnswers(
  tx: Transaction,
  member_id: string,
  { gender, age_band, ethnicity, disability }: SelfIdentification,
  now: Date,
): Promise<SelfIdentification> {
  return tx.one(sql<SelfIdentification>`
    insert into self_identifications (member_id, genders, age_band, ethnicities, disability, updated_at)
    values (${member_id}, ${gender}, ${age_band}, ${ethnicity}, ${disability}, ${now})
    on conflict (member_id) do update set genders = excluded.genders, age_band = excluded.age_band, ethnicities = excluded.ethnicities,
      disability = excluded.disability, updated_at = excluded.updated_at
    returning ${columns}`);
}

/** How one of many members is counted. */
export type MemberAnswers = CountedIdentity & { readonly member_id: string };

/** Lists how those of the members are counted who consent to statistics about them. */
export function listConsentedAnswers(db: Reader, member_ids: readonly string[]): Promise<MemberAnswers[]> {
  return db.list(sql<MemberAnswers>`
    select member_id, gender, age_band, ethnicity, disability from self_identifications
    where member_id = any(${member_ids}::uuid[]) and member_id in (
      select member_id from granted_consents
      where consent_type = 'demographic_self_identification' and member_id = any(${member_ids}::uuid[]))`);
}

export function listStoredAnswers(
  db: Reader,
  member_id: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select ${columns}, updated_at from self_identifications where member_id = ${member_id}`);
}

export async function deleteAnswers(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from self_identifications where member_id = ${member_id}`);
}

/** Lists members who have answered anything, with ids greater than `after`, in order of id. */
export async function listMembersWithAnswers(
  db: Reader,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ member_id: string }>`
    select member_id from self_identifications where member_id > ${after} order by member_id limit ${limit}`);
  return rows.map(({ member_id }) => member_id);
}

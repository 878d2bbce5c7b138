import { sql, type Transaction } from '#platform/database/database.ts';
import type { ConsentType } from './consent-types.ts';
import type { QueryCategory } from './rules.ts';

/** Records in one statement that many members granted the same consents. */
export async function insertGrants(
  tx: Transaction,
  member_ids: readonly string[],
  consent_types: readonly ConsentType[],
  { version, now }: { readonly version: string; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), member_id, consent_type, true, ${version}, ${now}::timestamptz
    from unnest(${member_ids}::uuid[]) as member_id, unnest(${consent_types}::text[]) as consent_type`);
}

/** Records in one statement that many members approve the sale of the same categories. */
export async function insertApprovals(
  tx: Transaction,
  member_ids: readonly string[],
  categories: readonly QueryCategory[],
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into query_category_records (id, member_id, category, approved, created_at)
    select gen_random_uuid(), member_id, category, true, ${now}::timestamptz
    from unnest(${member_ids}::uuid[]) as member_id, unnest(${categories}::text[]) as category`);
}

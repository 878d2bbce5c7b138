import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { CategoryRecord } from './rules.ts';

/** Adds a decision on a category. The caller must hold the member's lock, so that the last record is the last decision. */
export async function insertCategoryRecord(tx: Transaction, record: CategoryRecord): Promise<void> {
  const { id, member_id, category, approved, created_at } = record;
  await tx.run(sql`
    insert into query_category_records (id, member_id, category, approved, created_at)
    values (${id}, ${member_id}, ${category}, ${approved}, ${created_at})`);
}

/** Withdraws every current approval. The caller must hold the member's lock. */
export async function insertDisapprovals(tx: Transaction, member_id: string, now: Date): Promise<void> {
  await tx.run(sql`
    insert into query_category_records (id, member_id, category, approved, created_at)
    select gen_random_uuid(), member_id, category, false, ${now}::timestamptz from (
      select distinct on (category) member_id, category, approved
      from query_category_records where member_id = ${member_id} order by category, sequence desc) as latest
    where approved`);
}

/** The last record of each category that the member has decided on. */
export function listLatestCategories(db: Reader, member_id: string): Promise<CategoryRecord[]> {
  return db.list(sql<CategoryRecord>`
    select distinct on (category) id, member_id, category, approved, created_at
    from query_category_records where member_id = ${member_id} order by category, sequence desc`);
}

/** Every decision of the member on categories, oldest first. */
export function listCategoryRecords(
  db: Reader,
  member_id: string,
): Promise<Omit<CategoryRecord, 'member_id'>[]> {
  return db.list(sql<Omit<CategoryRecord, 'member_id'>>`
    select id, category, approved, created_at from query_category_records
    where member_id = ${member_id} order by sequence`);
}

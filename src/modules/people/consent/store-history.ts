import { emptySql, sql, type Reader } from '#platform/database/database.ts';
import type { Decision } from './rules.ts';

/** A decision, and its order among the decisions of its kind within one instant. */
type StoredDecision = Decision & { readonly sequence: number };

export type DecisionPlace = readonly [created_at: string, sequence: number, id: string];

/** The decisions of a member on consents and on categories, newest first; `after` is the place of the last one on the previous page. */
export function listDecisions(
  db: Reader,
  member_id: string,
  after: DecisionPlace | undefined,
  limit: number,
): Promise<StoredDecision[]> {
  const from = after
    ? sql`where (created_at, sequence, id) < (${after[0]}::timestamptz, ${after[1]}::bigint, ${after[2]}::uuid)`
    : emptySql;
  return db.list(sql<StoredDecision>`
    select id, consent_type, category, granted, version, created_at, sequence from (
      select id, consent_type, null as category, granted, version, created_at, sequence
      from consent_records where member_id = ${member_id}
      union all
      select id, 'identity_queries', category, approved, null, created_at, sequence
      from query_category_records where member_id = ${member_id}) as decisions
    ${from} order by created_at desc, sequence desc, id desc limit ${limit}`);
}

export async function countDecisions(db: Reader, member_id: string): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select (select count(*) from consent_records where member_id = ${member_id})
      + (select count(*) from query_category_records where member_id = ${member_id}) as count`);
  return count;
}

import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** Lists the payments for reads of a member. */
export function listPaymentsAbout(
  db: Reader,
  member_id: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select org_id, tool, data_type, state, rail, amount_micro, created_at from payment_claims where member_id = ${member_id}
    order by created_at, id limit 10000`);
}

/** Severs a member from the payments for their data, and deletes what was read. The payments stay, because the accounts refer to them. */
export async function severMember(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(
    sql`update payment_claims set member_id = null, marketplace_member_id = null, result = null where member_id = ${member_id}`,
  );
}

import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** Lists what organisations were sent about a member. */
export function listSentEvents(db: Reader, member_id: string): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select org_id, event_type, body, status, created_at from webhook_deliveries where member_id = ${member_id}
    order by created_at, id limit 10000`);
}

/** Deletes what was sent about a member, and what waits. */
export async function deleteSentEvents(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from webhook_deliveries where member_id = ${member_id}`);
}

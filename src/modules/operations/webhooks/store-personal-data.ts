import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** Lists what organisations were sent about a member. */
export function listSentEvents(db: Reader, member_id: string): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select org_id, event_type, body, status, created_at from webhook_deliveries where member_id = ${member_id}
    order by created_at, id limit 10000`);
}

/** Deletes what was sent about a member, and what waits. */
export async function deleteSentEvents(tx: Transaction, member_id: string): Promise<void> {
  // A change on all nodes of a distributed database waits for others of its kind.
  const sent = await tx.find(
    sql<{ id: string }>`select id from webhook_deliveries where member_id = ${member_id} limit 1`,
  );
  if (sent) await tx.run(sql`delete from webhook_deliveries where member_id = ${member_id}`);
}

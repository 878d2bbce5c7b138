import { sql, type Executor, type Transaction } from '#platform/database.ts';
import type { ConsentRecord, ConsentType } from './rules.ts';

/** Adds a record; hold the member's lock, so that the last record is the last decision. */
export async function insertConsentRecord(tx: Transaction, record: ConsentRecord): Promise<void> {
  const { id, member_id, consent_type, granted, version, created_at } = record;
  await tx.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    values (${id}, ${member_id}, ${consent_type}, ${granted}, ${version}, ${created_at})`);
}

/** The last record of each type that the member ever decided on. */
export function listLatestConsents(db: Executor, member_id: string): Promise<ConsentRecord[]> {
  return db.list(sql<ConsentRecord>`
    select distinct on (consent_type) id, member_id, consent_type, granted, version, created_at
    from consent_records where member_id = ${member_id} order by consent_type, sequence desc`);
}

/** Whether the member's last word on a type is yes; ask in the transaction that acts on the answer. */
export async function hasConsent(
  tx: Transaction,
  member_id: string,
  consent_type: ConsentType,
): Promise<boolean> {
  const latest = await tx.find(sql<{ granted: boolean }>`
    select granted from consent_records where member_id = ${member_id} and consent_type = ${consent_type}
    order by sequence desc limit 1`);
  return latest?.granted ?? false;
}

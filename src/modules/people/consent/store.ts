import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { ConsentType } from './consent-types.ts';
import { consentResource, type ConsentRecord } from './resource.ts';

/** Adds a record. The caller must hold the member's lock, so that the last record is the last decision. */
export function insertConsentRecord(tx: Transaction, record: ConsentRecord): void {
  void tx.runAhead(sql`insert into consent_records ${consentResource.insert(record)}`);
}

/** The last record of each type that the member has decided on. */
export function listLatestConsents(db: Reader, member_id: string): Promise<ConsentRecord[]> {
  return db.list(sql<ConsentRecord>`
    select distinct on (consent_type) ${consentResource.columns}
    from consent_records where member_id = ${member_id} order by consent_type, sequence desc`);
}

/** Whether the member's last decision on a type grants it. Call this in the transaction that relies on the result. */
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

/** Withdraws every granted type in the version that was granted. The caller must hold the member's lock. @returns the withdrawn types. */
export async function insertWithdrawals(
  tx: Transaction,
  member_id: string,
  now: Date,
): Promise<readonly ConsentType[]> {
  const rows = await tx.list(sql<{ consent_type: ConsentType }>`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), member_id, consent_type, false, version, ${now}::timestamptz from (
      select distinct on (consent_type) member_id, consent_type, granted, version
      from consent_records where member_id = ${member_id} order by consent_type, sequence desc) as latest
    where granted returning consent_type`);
  return rows.map(({ consent_type }) => consent_type);
}

/** Every decision of the member, oldest first. */
export function listConsentRecords(
  db: Reader,
  member_id: string,
): Promise<Omit<ConsentRecord, 'member_id'>[]> {
  return db.list(sql<Omit<ConsentRecord, 'member_id'>>`
    select id, consent_type, granted, version, created_at from consent_records
    where member_id = ${member_id} order by sequence`);
}

/** Deletes every decision of a member whose account is marked for deletion. The database refuses this for any other member. */
export async function deleteConsent(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`select erase_consent(${member_id})`);
}

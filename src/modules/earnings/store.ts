import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Read } from './rules.ts';

/** Adds a read. The commit waits for it. */
export function insertRead(tx: Transaction, read: Read): void {
  void tx.runAhead(sql`
    insert into reads
      (member_id, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, claim_id,
        protocol_version, journal_id, created_at)
    values (${read.member_id}, ${read.id}, ${read.org_id}, ${read.user_id}, ${read.data_type}, ${read.payment_type}, ${String(read.gross)},
      ${String(read.member_share)}, ${read.share_bps}, ${read.multiplier_bps}, ${read.claim_id}, ${read.protocol_version}, ${read.journal_id},
      ${read.created_at})`);
}

type HeldRow = Readonly<Record<string, unknown>>;

/** All reads of a member, the oldest first. The user who read belongs to the organisation. */
export function listMemberReads(db: Reader, member_id: string): Promise<HeldRow[]> {
  return db.list(sql<HeldRow>`
    select id, org_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, protocol_version, journal_id, created_at
    from reads where member_id = ${member_id} order by created_at, id`);
}

/** Moves the reads of an erased member to an id that belongs to nobody: the organisations keep what they bought, without the member. */
export async function severReads(tx: Transaction, member_id: string, successor_id: string): Promise<void> {
  await tx.run(sql`
    insert into reads
      (member_id, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, claim_id,
        protocol_version, journal_id, created_at)
    select ${successor_id}::uuid, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps, claim_id,
      protocol_version, journal_id, created_at
    from reads where member_id = ${member_id}`);
  await tx.run(sql`delete from reads where member_id = ${member_id}`);
}

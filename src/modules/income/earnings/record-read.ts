import { randomUUID } from 'node:crypto';
import type { Micros } from '#lib/money.ts';
import type { QueryCategory } from '#modules/people/consent';
import type { Transaction } from '#platform/database/database.ts';
import type { PaymentType } from './rules.ts';
import { insertRead } from './store.ts';

/** A read to record. */
export type NewRead = {
  /** The id that the journal of the read has; without it, a new one. */
  readonly id?: string;
  readonly memberId: string;
  readonly orgId: string;
  readonly userId: string;
  readonly dataType: QueryCategory;
  readonly paymentType: PaymentType;
  /** What was paid, and the member's share of it; zero for a free read, which earns recognition. */
  readonly gross: Micros;
  readonly memberShare: Micros;
  readonly shareBps: number;
  readonly multiplierBps: number;
  readonly claimId: string | null;
  readonly protocolVersion: string | null;
  readonly journalId: string | null;
  readonly at: Date;
};

/**
 * Records a read, in the transaction that allows it. The database refuses a paid read without a journal, a free one with money, and a second
 * read for one claim.
 *
 * @returns the id of the read.
 */
export function recordRead(tx: Transaction, read: NewRead): string {
  const id = read.id ?? randomUUID();
  insertRead(tx, {
    id,
    member_id: read.memberId,
    org_id: read.orgId,
    user_id: read.userId,
    data_type: read.dataType,
    payment_type: read.paymentType,
    gross: read.gross,
    member_share: read.memberShare,
    share_bps: read.shareBps,
    multiplier_bps: read.multiplierBps,
    claim_id: read.claimId,
    protocol_version: read.protocolVersion,
    journal_id: read.journalId,
    created_at: read.at,
  });
  return id;
}

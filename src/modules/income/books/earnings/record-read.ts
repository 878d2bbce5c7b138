import { randomUUID } from 'node:crypto';
import { splitByBasisPoints, type Micros } from '#lib/money.ts';
import type { SettledPayment } from '#modules/income/payments';
import type { Transaction } from '#platform/database/database.ts';
import { postJournal } from '../journals/post-journal.ts';
import { buildReadJournal, buildRefundJournal, type Refund, type SoldRead } from '../journals/rules.ts';
import { openPayout } from '../payouts/advance-payout.ts';
import type { Read } from './rules.ts';
import { insertRead } from './store.ts';

/** A read to record. */
export type NewRead = Pick<
  Read,
  'id' | 'member_id' | 'org_id' | 'user_id' | 'data_type' | 'share_bps' | 'multiplier_bps' | 'created_at'
> & {
  readonly known_as?: string;
  /** Null for a free read, which earns recognition. */
  readonly payment: Pick<SettledPayment, 'payment_id' | 'rail' | 'protocol_version' | 'amount'> | null;
};

/**
 * Records a read and, if it was paid, its journal, in the transaction that allows it. The database refuses a paid read without a journal, a free one
 * with money, and a second read for one payment.
 *
 * @param hold_seconds How long the member's share stays pending.
 */
export async function recordRead(
  tx: Transaction,
  { payment, ...read }: NewRead,
  hold_seconds: number,
): Promise<void> {
  const { id, created_at: at, known_as = null, ...sides } = read;
  const gross = payment?.amount ?? 0n;
  const posted =
    payment && (await postReadJournal(tx, { ...sides, ...payment, read_id: id, gross, at, hold_seconds }));
  insertRead(tx, {
    ...read,
    known_as,
    gross,
    payment_type: payment?.rail ?? 'allowance',
    member_share: posted?.member_share ?? 0n,
    payment_id: payment?.payment_id ?? null,
    protocol_version: payment?.protocol_version ?? null,
    journal_id: posted?.journal_id ?? null,
  });
}

/** The journal of a paid read, and how the price was split. */
export type PostedRead = {
  readonly journal_id: string;
  readonly member_share: Micros;
  readonly platform_share: Micros;
};

/**
 * Posts a paid read: the money that arrived, the member's share, which is pending for the time of the payout hold, and the platform's. A payment is
 * posted once.
 *
 * @throws JournalConflict if the payment was posted for another read, organisation, rail, price or share.
 */
export async function postReadJournal(tx: Transaction, sold: SoldRead): Promise<PostedRead> {
  const { id } = await postJournal(tx, buildReadJournal(sold));
  const { part, rest } = splitByBasisPoints(sold.gross, sold.share_bps);
  return { journal_id: id, member_share: part, platform_share: rest };
}

/**
 * Posts a payment after which nothing may be read: the money that arrived is owed back to its payer. If it is known where it came from, a payout sends it
 * back. What came from a prepaid balance is there again at once.
 */
export async function postRefundJournal(tx: Transaction, refund: Refund): Promise<void> {
  const { is_new } = await postJournal(tx, buildRefundJournal(refund));
  const destination = refund.payer ?? (refund.rail === 'mock' ? 'mock' : null);
  if (is_new && destination !== null)
    await openPayout(tx, {
      holder_id: refund.org_id,
      id: randomUUID(),
      kind: 'refund',
      status: 'requested',
      amount: refund.gross,
      rail: refund.rail === 'mock' ? 'mock' : 'chain',
      destination,
      payment_id: refund.payment_id,
      transaction_hash: null,
      signed_transaction: null,
      earlier_hashes: [],
      signed_at: null,
      requested_at: refund.at,
      ended_at: null,
    });
}

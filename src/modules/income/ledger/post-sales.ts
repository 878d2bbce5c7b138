import { randomUUID } from 'node:crypto';
import { splitByBasisPoints, type Micros } from '#lib/money.ts';
import type { Transaction } from '#platform/database/database.ts';
import { openPayout } from './payouts/open-payout.ts';
import { postJournal } from './post-journal.ts';
import { buildReadJournal, buildRefundJournal, type ReadSale, type Refund } from './rules.ts';

/** The journal of a paid read, and how the price was split. */
export type PostedSale = {
  readonly journalId: string;
  readonly memberShare: Micros;
  readonly platformShare: Micros;
};

/**
 * Posts a paid read: the money that arrived, the member's share, which is pending for the time of the payout hold, and the platform's. Call it
 * in the transaction that records the read. A claim is posted once.
 *
 * @throws JournalConflict if the claim was posted for another read, organisation, rail, price or share.
 */
export async function postReadJournal(tx: Transaction, sale: ReadSale): Promise<PostedSale> {
  const { id } = await postJournal(tx, buildReadJournal(sale));
  const { part, rest } = splitByBasisPoints(sale.gross, sale.shareBps);
  return { journalId: id, memberShare: part, platformShare: rest };
}

/**
 * Posts a payment for which nothing may be sold: the money that arrived is owed back to its payer. If it is known where it came from, a payout
 * sends it back.
 */
export async function postRefundJournal(
  tx: Transaction,
  refund: Refund,
): Promise<{ readonly journalId: string }> {
  const { id, isNew } = await postJournal(tx, buildRefundJournal(refund));
  const destination = refund.payer ?? (refund.rail === 'mock' ? 'mock' : null);
  if (isNew && destination !== null)
    await openPayout(tx, {
      holder_id: refund.orgId,
      id: randomUUID(),
      kind: 'refund',
      status: 'requested',
      amount: refund.gross,
      rail: refund.rail === 'mock' ? 'mock' : 'chain',
      destination,
      claim_id: refund.claimId,
      transaction_hash: null,
      signed_transaction: null,
      earlier_hashes: [],
      signed_at: null,
      requested_at: refund.at,
      ended_at: null,
    });
  return { journalId: id };
}

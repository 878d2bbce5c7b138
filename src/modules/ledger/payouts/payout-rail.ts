import type { Transaction } from '#platform/database/database.ts';
import type { Payout } from '../rules.ts';

/** A transfer that is ready to be sent. It moves its amount at most once, even if it is sent twice. */
export type PreparedTransfer = {
  readonly transaction_hash: string;
  /** Sent as often as necessary: the chain accepts a nonce once. */
  readonly signed_transaction: string;
};

/** What became of a transfer: `failed` is final, and its money has not moved. */
export type TransferOutcome = 'waiting' | 'paid' | 'failed';

/**
 * How payouts reach their owners. The three steps are apart, so that a process may be killed between any two: what was prepared is stored before
 * it is sent, and only the same transfer is ever sent again.
 */
export type PayoutRail = {
  /** Prepares the transfer of a payout, in the transaction that stores it. */
  prepareTransfer(tx: Transaction, payout: Payout): Promise<PreparedTransfer>;
  /** Sends a transfer; repeated without effect. */
  sendTransfer(transfer: PreparedTransfer): Promise<void>;
  readOutcome(transfer: PreparedTransfer): Promise<TransferOutcome>;
};

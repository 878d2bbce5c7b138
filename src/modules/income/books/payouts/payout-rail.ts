import type { Transaction } from '#platform/database/database.ts';
import type { Payout } from './rules.ts';

/** A transfer that is ready to be sent. It moves its amount at most once, even if it is sent twice. */
export type PreparedTransfer = {
  readonly transaction_hash: string;
  /** Sent as often as necessary: the chain accepts a nonce once. */
  readonly signed_transaction: string;
};

/** A transfer that is stored. */
export type StoredTransfer = PreparedTransfer & {
  /** The transactions that were signed before with the same nonce. One of them may be the one that is mined. */
  readonly earlier_hashes: readonly string[];
};

/**
 * What became of a transfer, and by which of its transactions. `waiting`: none is mined. `confirming`: one is, but not deep enough. `failed` is
 * final, and its money has not moved.
 */
export type TransferOutcome = {
  readonly state: 'waiting' | 'confirming' | 'paid' | 'failed';
  readonly transaction_hash: string;
};

/**
 * How payouts reach their owners. The steps are apart, so that a process may be killed between any two: what was prepared is stored before
 * it is sent, and only stored transfers are ever sent again.
 */
export type PayoutRail = {
  /** Prepares the transfer of a payout, in the transaction that stores it. */
  prepareTransfer(tx: Transaction, payout: Payout): Promise<PreparedTransfer>;
  /** Sends a transfer; repeated without effect. */
  sendTransfer(transfer: StoredTransfer): Promise<void>;
  readOutcome(transfer: StoredTransfer): Promise<TransferOutcome>;
  /** Signs the same transfer again, with the same nonce and a higher fee. Of both, at most one can be carried out. */
  replaceTransfer(transfer: PreparedTransfer): Promise<PreparedTransfer>;
};

/** For development: every payout arrives at once, and nothing leaves. */
export const mockRail: PayoutRail = {
  prepareTransfer: async (_tx, { id }) => ({ transaction_hash: `mock:${id}`, signed_transaction: '' }),
  sendTransfer: async () => undefined,
  readOutcome: async ({ transaction_hash }) => ({ state: 'paid', transaction_hash }),
  replaceTransfer: async (transfer) => transfer,
};

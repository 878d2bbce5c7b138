import type { Micros } from '#lib/money.ts';
import { listPostings, nothing, selectSourceAccount, type Journal } from '../journals/rules.ts';

/** How a payout reaches its owner: at once and in the books alone, or by a transaction on the chain. */
export type PayoutRailName = 'mock' | 'chain';

export const payoutStatuses = ['requested', 'sending', 'paid', 'returned'] as const;

export type PayoutStatus = (typeof payoutStatuses)[number];

/** Money that leaves: a member's income, or what is owed back to a payer. */
export type Payout = {
  readonly holder_id: string;
  readonly id: string;
  readonly kind: 'income' | 'refund';
  readonly status: PayoutStatus;
  readonly amount: Micros;
  readonly rail: PayoutRailName;
  readonly destination: string | null;
  readonly payment_id: string | null;
  readonly transaction_hash: string | null;
  readonly signed_transaction: string | null;
  /** The transactions that were signed before with the same nonce, the newest first. */
  readonly earlier_hashes: readonly string[];
  readonly signed_at: Date | null;
  readonly requested_at: Date;
  readonly ended_at: Date | null;
};

/** The first step of a payout: the money is on its way, and nobody can have it again. */
export function buildPayoutJournal({ holder_id, id, kind, amount, requested_at }: Payout): Journal {
  return {
    ...nothing,
    holder_id,
    kind: 'payout',
    idempotency_key: `payout:${id}`,
    payout_id: id,
    posted_at: requested_at,
    postings: listPostings([
      kind === 'income' ? ['member_income', amount, requested_at] : ['owed_to_payers', amount],
      ['payouts_in_progress', -amount],
    ]),
  };
}

/** The second step of a payout that reached its owner. Both ends of a payout have the same key, so that it has only one. */
export function buildSettlementJournal({ holder_id, id, amount, rail }: Payout, posted_at: Date): Journal {
  return {
    ...nothing,
    holder_id,
    kind: 'settlement',
    idempotency_key: `payout-end:${id}`,
    payout_id: id,
    posted_at,
    postings: listPostings([
      ['payouts_in_progress', amount],
      [selectSourceAccount(rail), -amount],
    ]),
  };
}

/** Why a payout is refused; undefined if it is allowed. */
export function findPayoutFault(
  amount: Micros,
  { available, minimum }: { readonly available: Micros; readonly minimum: Micros },
): 'payout_below_minimum' | 'balance_too_low' | undefined {
  if (amount < minimum) return 'payout_below_minimum';
  return amount > available ? 'balance_too_low' : undefined;
}

const replacement_wait_ms = 600_000;
const replacements_max = 12;

/** Whether a transaction that is not mined gets a higher fee: each ten minutes, at most twelve times. */
export function mayRaiseFee(
  { status, signed_at, earlier_hashes }: Pick<Payout, 'status' | 'signed_at' | 'earlier_hashes'>,
  now: Date,
): boolean {
  if (status !== 'sending' || signed_at === null || earlier_hashes.length >= replacements_max) return false;
  return now.getTime() - signed_at.getTime() >= replacement_wait_ms;
}

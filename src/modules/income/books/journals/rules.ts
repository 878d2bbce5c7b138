import { splitByBasisPoints, type Micros } from '#lib/money.ts';
import type { Rail } from '#modules/income/payments';

/**
 * The accounts. Debits are positive: money that the operator has (`cash_…`). Credits are negative: what the operator earned, and owes to members, to
 * payers, and to organisations that have paid in advance. Money of `payouts_in_progress` is on its way; that of `balance_in_use` has left a balance for a
 * read that is being made.
 */
export const accounts = [
  'cash_mock',
  'cash_chain',
  'cash_bank',
  'platform_income',
  'member_income',
  'payouts_in_progress',
  'owed_to_payers',
  'prepaid_balance',
  'balance_in_use',
] as const;

export type Account = (typeof accounts)[number];

export const journalKinds = [
  'read',
  'refund',
  'payout',
  'settlement',
  'reversal',
  'top_up',
  'charge',
] as const;

export type JournalKind = (typeof journalKinds)[number];

/** One line of a journal. Only income of a member has a time from which it may be paid out. */
export type Posting = {
  readonly account: Account;
  readonly amount: Micros;
  readonly available_at: Date | null;
};

/** What happened, as a sum of postings that is zero. */
export type Journal = {
  /** Whose money it is about: a member, or the organisation that is owed a refund or has a balance. */
  readonly holder_id: string;
  readonly kind: JournalKind;
  /** What is posted once. */
  readonly idempotency_key: string;
  readonly org_id: string | null;
  readonly read_id: string | null;
  readonly payment_id: string | null;
  readonly payout_id: string | null;
  readonly reversed_id: string | null;
  readonly rail: Rail | null;
  readonly share_bps: number | null;
  readonly reason: string | null;
  readonly posted_at: Date;
  readonly postings: readonly Posting[];
};

export const nothing = {
  org_id: null,
  read_id: null,
  payment_id: null,
  payout_id: null,
  reversed_id: null,
  rail: null,
  share_bps: null,
  reason: null,
};

/**
 * Where the money of a rail is: payments by transfer and by x402 arrive in the same wallet, and payouts on the chain leave from it. Money of a prepaid balance
 * has arrived before.
 */
export function selectSourceAccount(rail: Rail | 'chain'): Account {
  if (rail === 'balance') return 'balance_in_use';
  return rail === 'mock' ? 'cash_mock' : 'cash_chain';
}

/** A paid read. */
export type SoldRead = {
  readonly read_id: string;
  readonly member_id: string;
  readonly org_id: string;
  readonly payment_id: string;
  readonly rail: Rail;
  /** What was paid. */
  readonly gross: Micros;
  /** The member's share in basis points. */
  readonly share_bps: number;
  readonly at: Date;
  /** How long the member's share stays pending: TESSERA_PAYOUT_HOLD_SECONDS. */
  readonly hold_seconds: number;
};

/**
 * Builds the journal of a paid read: the member's share is rounded down, and the platform keeps the remainder.
 *
 * @throws RangeError if nothing was paid.
 */
export function buildReadJournal(sold: SoldRead): Journal {
  if (sold.gross <= 0n) throw new RangeError('a paid read has a price');
  const { part, rest } = splitByBasisPoints(sold.gross, sold.share_bps);
  return {
    ...nothing,
    holder_id: sold.member_id,
    kind: 'read',
    idempotency_key: `payment:${sold.payment_id}`,
    org_id: sold.org_id,
    read_id: sold.read_id,
    payment_id: sold.payment_id,
    rail: sold.rail,
    share_bps: sold.share_bps,
    posted_at: sold.at,
    postings: listPostings([
      ['member_income', -part, new Date(sold.at.getTime() + 1000 * sold.hold_seconds)],
      ['platform_income', -rest],
      [selectSourceAccount(sold.rail), sold.gross],
    ]),
  };
}

/** A payment that was received, but for which nothing may be sold. */
export type Refund = {
  readonly payment_id: string;
  readonly org_id: string;
  /** The address that paid; null if the rail does not tell. */
  readonly payer: string | null;
  readonly rail: Rail;
  readonly gross: Micros;
  readonly at: Date;
  readonly reason: string;
};

/** Builds the journal of a payment that is owed back to its payer, or is back in the balance that it came from. */
export function buildRefundJournal({ payment_id, org_id, rail, gross, at, reason }: Refund): Journal {
  return {
    ...nothing,
    holder_id: org_id,
    kind: 'refund',
    idempotency_key: `payment:${payment_id}`,
    org_id,
    payment_id,
    rail,
    reason,
    posted_at: at,
    postings: listPostings([
      [rail === 'balance' ? 'prepaid_balance' : 'owed_to_payers', -gross],
      [selectSourceAccount(rail), gross],
    ]),
  };
}

/** A journal as it is stored. */
export type StoredJournal = Journal & { readonly id: string };

/**
 * Takes a journal back with the opposite of each posting. Income that was pending is taken from what is pending, until the same time.
 *
 * @throws RangeError for the reversal of a reversal: post the first journal again instead.
 */
export function buildReversalJournal(
  { id, holder_id, kind, payout_id, payment_id, org_id, rail, postings }: StoredJournal,
  { at, reason }: { readonly at: Date; readonly reason: string },
): Journal {
  if (kind === 'reversal') throw new RangeError(`journal ${id} is itself a reversal`);
  return {
    ...nothing,
    holder_id,
    kind: 'reversal',
    idempotency_key: kind === 'payout' ? `payout-end:${payout_id}` : `reversal:${id}`,
    org_id,
    payment_id,
    payout_id,
    rail,
    reversed_id: id,
    reason,
    posted_at: at,
    postings: postings.map((posting) => ({ ...posting, amount: -posting.amount })),
  };
}

type Line = readonly [account: Account, amount: Micros, available_at?: Date];

/** Without lines of zero, which say nothing: the share of a payment of one micro-unit is none. */
export function listPostings(lines: readonly Line[]): readonly Posting[] {
  return lines
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount, available_at]) => ({ account, amount, available_at: available_at ?? null }));
}

/** What a member has earned. The four parts sum to the total, and no amount is in two of them. */
export type Balances = {
  /** Earned, but within the payout hold. */
  readonly pending: Micros;
  /** May be paid out. Negative if more was paid out than remained after a reversal. */
  readonly available: Micros;
  /** On its way to the member. */
  readonly in_payout: Micros;
  readonly paid_out: Micros;
  readonly total: Micros;
};

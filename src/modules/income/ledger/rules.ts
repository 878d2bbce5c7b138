import { splitByBasisPoints, type Micros } from '#lib/money.ts';

/** The ways in which an organisation pays. */
export type Rail = 'mock' | 'transfer' | 'x402';

/**
 * The accounts. Debits are positive: money that the operator has (`cash_…`). Credits are negative: what the operator earned, and owes to members and
 * payers. Money of `payouts_in_progress` is on its way.
 */
export const accounts = [
  'cash_mock',
  'cash_chain',
  'platform_income',
  'member_income',
  'payouts_in_progress',
  'owed_to_payers',
] as const;

export type Account = (typeof accounts)[number];

export type CashAccount = Extract<Account, `cash_${string}`>;

export const journalKinds = ['read', 'refund', 'payout', 'settlement', 'reversal'] as const;

export type JournalKind = (typeof journalKinds)[number];

/** One line of a journal. Only income of a member has a time from which it may be paid out. */
export type Posting = {
  readonly account: Account;
  readonly amount: Micros;
  readonly available_at: Date | null;
};

/** What happened, as a sum of postings that is zero. */
export type Journal = {
  /** Whose money it is about: a member, or the organisation that is owed a refund. */
  readonly holder_id: string;
  readonly kind: JournalKind;
  /** What is posted once. */
  readonly idempotency_key: string;
  readonly org_id: string | null;
  readonly read_id: string | null;
  readonly claim_id: string | null;
  readonly payout_id: string | null;
  readonly reversed_id: string | null;
  readonly rail: Rail | null;
  readonly share_bps: number | null;
  readonly reason: string | null;
  readonly posted_at: Date;
  readonly postings: readonly Posting[];
};

const nothing = {
  org_id: null,
  read_id: null,
  claim_id: null,
  payout_id: null,
  reversed_id: null,
  rail: null,
  share_bps: null,
  reason: null,
};

/** Where the money of a rail is: payments by transfer and by x402 arrive in the same wallet. */
function selectCashAccount(rail: Rail | PayoutRailName): CashAccount {
  return rail === 'mock' ? 'cash_mock' : 'cash_chain';
}

/** A paid read. */
export type ReadSale = {
  readonly readId: string;
  readonly memberId: string;
  readonly orgId: string;
  readonly claimId: string;
  readonly rail: Rail;
  /** What was paid. */
  readonly gross: Micros;
  /** The member's share in basis points. */
  readonly shareBps: number;
  readonly at: Date;
  /** How long the member's share stays pending: TESSERA_PAYOUT_HOLD_SECONDS. */
  readonly holdSeconds: number;
};

/**
 * Builds the journal of a paid read: the member's share is rounded down, and the platform keeps the remainder.
 *
 * @throws RangeError if nothing was paid.
 */
export function buildReadJournal(sale: ReadSale): Journal {
  if (sale.gross <= 0n) throw new RangeError('a paid read has a price');
  const { part, rest } = splitByBasisPoints(sale.gross, sale.shareBps);
  return {
    ...nothing,
    holder_id: sale.memberId,
    kind: 'read',
    idempotency_key: `claim:${sale.claimId}`,
    org_id: sale.orgId,
    read_id: sale.readId,
    claim_id: sale.claimId,
    rail: sale.rail,
    share_bps: sale.shareBps,
    posted_at: sale.at,
    postings: listPostings([
      ['member_income', -part, new Date(sale.at.getTime() + 1000 * sale.holdSeconds)],
      ['platform_income', -rest],
      [selectCashAccount(sale.rail), sale.gross],
    ]),
  };
}

/** A payment that was received, but for which nothing may be sold. */
export type Refund = {
  readonly claimId: string;
  readonly orgId: string;
  /** The address that paid; null if the rail does not tell. */
  readonly payer: string | null;
  readonly rail: Rail;
  readonly gross: Micros;
  readonly at: Date;
  readonly reason: string;
};

/** Builds the journal of a payment that is owed back to its payer. */
export function buildRefundJournal({ claimId, orgId, rail, gross, at, reason }: Refund): Journal {
  return {
    ...nothing,
    holder_id: orgId,
    kind: 'refund',
    idempotency_key: `claim:${claimId}`,
    org_id: orgId,
    claim_id: claimId,
    rail,
    reason,
    posted_at: at,
    postings: listPostings([
      ['owed_to_payers', -gross],
      [selectCashAccount(rail), gross],
    ]),
  };
}

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
  readonly claim_id: string | null;
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
      [selectCashAccount(rail), -amount],
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
  { id, holder_id, kind, payout_id, claim_id, org_id, rail, postings }: StoredJournal,
  { at, reason }: { readonly at: Date; readonly reason: string },
): Journal {
  if (kind === 'reversal') throw new RangeError(`journal ${id} is itself a reversal`);
  return {
    ...nothing,
    holder_id,
    kind: 'reversal',
    idempotency_key: kind === 'payout' ? `payout-end:${payout_id}` : `reversal:${id}`,
    org_id,
    claim_id,
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
function listPostings(lines: readonly Line[]): readonly Posting[] {
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
  readonly inPayout: Micros;
  readonly paidOut: Micros;
  readonly total: Micros;
};

/** Why a payout is refused; undefined if it is allowed. */
export function findPayoutFault(
  amount: Micros,
  { available, minimum }: { readonly available: Micros; readonly minimum: Micros },
): 'payout_below_minimum' | 'balance_too_low' | undefined {
  if (amount < minimum) return 'payout_below_minimum';
  return amount > available ? 'balance_too_low' : undefined;
}

/** What a check of the ledger found wrong. `id` is that of the journal, payout, read or holder of a checkpoint; null for the ledger as a whole. */
export type LedgerFault = {
  readonly code:
    | 'trial_balance'
    | 'journal_unbalanced'
    | 'journal_empty'
    | 'share_wrong'
    | 'checkpoint_wrong'
    | 'payout_wrong'
    | 'payout_stuck'
    | 'cash_missing'
    | 'read_without_journal'
    | 'journal_without_read'
    | 'read_amount_wrong'
    | 'payment_without_read'
    | 'payment_without_refund';
  readonly id: string | null;
  readonly detail: string;
};

/** The cash that the books have on the chain, beside what is there. Money that nobody has claimed yet makes the chain have more. */
export type CashComparison = {
  readonly books: Micros;
  readonly chain: Micros;
  /** What may have left by transactions whose outcome is not posted yet. */
  readonly sent: Micros;
  /** Whether the node is behind the books, so that its balance says nothing about them. */
  readonly isBehind: boolean;
};

/** Finds what is missing on the chain. A node that is behind the books proves nothing. */
export function findMissingCash({ books, chain, sent, isBehind }: CashComparison): LedgerFault | undefined {
  if (isBehind) return undefined;
  const missing = books - sent - chain;
  if (missing <= 0n) return undefined;
  return {
    code: 'cash_missing',
    id: null,
    detail: `the chain has ${missing} micro-units less than the books`,
  };
}

/** Finds a trial balance that is not zero. */
export function findTrialFault(balances: readonly { readonly balance: Micros }[]): LedgerFault | undefined {
  const total = balances.reduce((sum, { balance }) => sum + balance, 0n);
  return total === 0n
    ? undefined
    : { code: 'trial_balance', id: null, detail: `the accounts sum to ${total} micro-units` };
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

/** Books may be this much ahead of the newest block: the service's clock is not that of the chain. */
const chain_lag_ms_max = 60_000;

/** Whether the newest block of the node is older than what the books have from the chain: then its balance cannot be compared with them. */
export function isChainBehind(head_at: Date, booked_at: Date | null): boolean {
  return booked_at !== null && booked_at.getTime() - head_at.getTime() > chain_lag_ms_max;
}

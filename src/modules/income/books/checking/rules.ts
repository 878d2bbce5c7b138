import type { Micros } from '#lib/money.ts';
import type { Account } from '../journals/rules.ts';

/** The trial balance, and what is wrong. */
export type BooksReport = {
  readonly balances: Readonly<Record<Account, Micros>>;
  /** Null if no chain is configured, or it does not answer. */
  readonly cash: CashComparison | null;
  readonly faults: readonly BookFault[];
};

/** What a check of the books found wrong. `id` is that of the journal, payout, read, payment, or holder of a checkpoint or balance; null for the ledger as a whole. */
export type BookFault = {
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
    | 'payment_without_refund'
    | 'charge_wrong'
    | 'balance_wrong'
    | 'balance_in_use_wrong';
  readonly id: string | null;
  readonly detail: string;
};

/** The cash that the books have on the chain, beside what is there. Money that nobody has reported yet makes the chain have more. */
export type CashComparison = {
  readonly books: Micros;
  readonly chain: Micros;
  /** What may have left by transactions whose outcome is not posted yet. */
  readonly sent: Micros;
  /** Whether the node is behind the books, so that its balance says nothing about them. */
  readonly is_behind: boolean;
};

/** Finds what is missing on the chain. A node that is behind the books proves nothing. */
export function findMissingCash({ books, chain, sent, is_behind }: CashComparison): BookFault | undefined {
  if (is_behind) return undefined;
  const missing = books - sent - chain;
  if (missing <= 0n) return undefined;
  return {
    code: 'cash_missing',
    id: null,
    detail: `the chain has ${missing} micro-units less than the books`,
  };
}

/** Finds a trial balance that is not zero. */
export function findTrialFault(balances: readonly Micros[]): BookFault | undefined {
  const total = balances.reduce((sum, balance) => sum + balance, 0n);
  return total === 0n
    ? undefined
    : { code: 'trial_balance', id: null, detail: `the accounts sum to ${total} micro-units` };
}

/** Finds money that left a balance and is neither in a read or refund, nor in a payment whose read is being made. */
export function findStrayMoney(in_use: Micros, unread: Micros): BookFault | undefined {
  if (in_use === -unread) return undefined;
  const detail = `${-in_use} micro-units are in use, and payments without a read have ${unread}`;
  return { code: 'balance_in_use_wrong', id: null, detail };
}

/** Books may be this much ahead of the newest block: the service's clock is not that of the chain. */
const chain_lag_ms_max = 60_000;

/** Whether the newest block of the node is older than what the books have from the chain: then its balance cannot be compared with them. */
export function isChainBehind(head_at: Date, booked_at: Date | null): boolean {
  return booked_at !== null && booked_at.getTime() - head_at.getTime() > chain_lag_ms_max;
}

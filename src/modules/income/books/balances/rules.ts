import type { Micros } from '#lib/money.ts';
import { parseTime } from '#lib/outside-values.ts';
import { listPostings, nothing, type Journal } from '../journals/rules.ts';

/** The prepaid balance of an organisation. Its row repeats what the books say. */
export type Balance = {
  readonly balance: Micros;
  /** The administrators get an email when a read takes the balance below this amount; null without one. */
  readonly warn_below: Micros | null;
};

/** The balance of an organisation that has never filled one. */
export const emptyBalance: Balance = { balance: 0n, warn_below: null };

/** Money that an organisation has announced, that the operator has recorded, or both. */
export type TopUp = {
  readonly reference: string;
  readonly org_id: string;
  /** Null for money that nobody announced. */
  readonly announced: Micros | null;
  readonly announced_at: Date | null;
  /** Null until the operator records that the money has arrived. */
  readonly recorded: Micros | null;
  readonly recorded_at: Date | null;
};

/** A top-up as the operator sees it. */
export type WaitingTopUp = TopUp & { readonly organisation_name: string };

/** The least and the most that one top-up may bring, in US dollars. */
export const top_up_min = 1;
export const top_up_max = 1_000_000;

/** How many announced top-ups of an organisation may wait for their money, and for how many days they are counted and listed. */
export const announced_max = 20;
const announced_days = 60;

/** Computes since when announced top-ups are listed. Money for an older one is still recorded under its reference. */
export function computeFirstAnnounced(now: Date): Date {
  return new Date(now.getTime() - announced_days * 86_400_000);
}

/** Money that has arrived for a balance. */
type ArrivedMoney = {
  readonly org_id: string;
  readonly reference: string;
  readonly amount: Micros;
  readonly at: Date;
};

/** Builds the journal of money that has arrived outside the chain and fills a balance. A reference is posted once. */
export function buildTopUpJournal({ org_id, reference, amount, at }: ArrivedMoney): Journal {
  return {
    ...nothing,
    holder_id: org_id,
    kind: 'top_up',
    idempotency_key: `top-up:${reference}`,
    org_id,
    reason: reference,
    posted_at: at,
    postings: listPostings([
      ['prepaid_balance', -amount],
      ['cash_bank', amount],
    ]),
  };
}

/** What a balance pays. */
export type Charge = {
  readonly payment_id: string;
  readonly org_id: string;
  readonly data_type: string;
  readonly amount: Micros;
  readonly at: Date;
};

/** Builds the journal of a payment from a balance. The journal of the read, or of the refund, takes the money from `balance_in_use`. */
export function buildChargeJournal({ payment_id, org_id, data_type, amount, at }: Charge): Journal {
  return {
    ...nothing,
    holder_id: org_id,
    kind: 'charge',
    idempotency_key: `charge:${payment_id}`,
    org_id,
    payment_id,
    rail: 'balance',
    reason: data_type,
    posted_at: at,
    postings: listPostings([
      ['prepaid_balance', amount],
      ['balance_in_use', -amount],
    ]),
  };
}

/** Whether a charge takes the balance below the amount of the warning. A balance that was below it before has been warned of. */
export function doesCrossWarning({ balance, warn_below }: Balance, charged: Micros): boolean {
  return warn_below !== null && balance >= warn_below && balance - charged < warn_below;
}

/** What a line of the statement is about. */
export const entryKinds = ['top_up', 'read', 'refund', 'correction'] as const;

export type EntryKind = (typeof entryKinds)[number];

/** One line of the statement. */
export type Entry = {
  readonly number: number;
  readonly kind: EntryKind;
  /** Positive if it was added to the balance. */
  readonly amount: Micros;
  /** What was left afterwards. */
  readonly balance: Micros;
  /** The reference of a top-up, what was read, or why something was given or taken back. */
  readonly detail: string;
  readonly payment_id: string | null;
  readonly posted_at: Date;
};

/** The lines of one kind on one day (UTC). */
export type DaySum = {
  readonly day: string;
  readonly kind: EntryKind;
  readonly count: number;
  readonly amount: Micros;
};

/** The days of a statement, both included, and what they are as times. */
export type Period = { readonly from: string; readonly to: string; readonly start: Date; readonly end: Date };

const period_days_max = 366;

/** Builds the period of a statement: from the first day of the month to today, if not given. @returns what is wrong, if the period is. */
export function buildPeriod(
  { from, to }: { readonly from?: string; readonly to?: string },
  now: Date,
): Period | { readonly fault: string } {
  const last = to ?? now.toISOString().slice(0, 10);
  const first = from ?? `${last.slice(0, 7)}-01`;
  const [start, lastStart] = [parseTime(`${first}T00:00:00Z`), parseTime(`${last}T00:00:00Z`)];
  if (!start || !lastStart) return { fault: 'must be a day of the calendar' };
  const end = new Date(lastStart.getTime() + 86_400_000);
  const days = (end.getTime() - start.getTime()) / 86_400_000;
  if (days <= 0) return { fault: 'must not be after the last day' };
  if (days > period_days_max) return { fault: `must be at most ${period_days_max} days before the last day` };
  return { from: first, to: last, start, end };
}

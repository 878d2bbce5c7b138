import type { Micros } from '#lib/money.ts';
import type { QueryCategory } from '#modules/people/consent';
import type { Rail } from '#modules/income/payments';

/** How a read was paid: by a rail, or from the organisation's free allowance. */
export type PaymentType = Rail | 'allowance';

/** How a read was paid, as replies name it. */
export const shownPayments = ['x402', 'balance', 'allowance'] as const;

/** Names how a read was paid: a payment of the moment is one of x402, whatever rail carries it out. */
export function toShownPayment(payment: PaymentType): (typeof shownPayments)[number] {
  return payment === 'allowance' || payment === 'balance' ? payment : 'x402';
}

/** One read of a member's identity data by an organisation. */
export type Read = {
  readonly id: string;
  readonly member_id: string;
  /** The id by which the organisation knew the member; null for reads from before it was recorded. */
  readonly known_as: string | null;
  readonly org_id: string;
  readonly user_id: string;
  readonly data_type: QueryCategory;
  readonly payment_type: PaymentType;
  /** What the organisation paid, and what of it is the member's. */
  readonly gross: Micros;
  readonly member_share: Micros;
  readonly share_bps: number;
  readonly multiplier_bps: number;
  readonly payment_id: string | null;
  readonly protocol_version: string | null;
  readonly journal_id: string | null;
  readonly created_at: Date;
};

/** What was agreed for a read in Australian dollars; null for one that is not on the marketplace. */
type Agreed = { readonly price_aud_micros: number | null };

/** A read as its member sees it. */
export type ListedRead = Omit<Read, 'known_as'> &
  Agreed & {
    readonly organisation_name: string;
    /** When its income may be paid out; null for a free read. */
    readonly available_at: Date | null;
    readonly is_reversed: boolean;
  };

export const readStatuses = ['pending', 'settled', 'recognition', 'reversed'] as const;

export type ReadStatus = (typeof readStatuses)[number];

/** What became of the income of a read. */
export function selectStatus(
  {
    payment_type,
    available_at,
    is_reversed,
  }: Pick<ListedRead, 'payment_type' | 'available_at' | 'is_reversed'>,
  now: Date,
): ReadStatus {
  if (payment_type === 'allowance') return 'recognition';
  if (is_reversed) return 'reversed';
  return available_at !== null && available_at > now ? 'pending' : 'settled';
}

/** How often a member was read. */
export type ReadCounts = {
  readonly transaction_count: number;
  readonly recognition_count: number;
  readonly unique_organisations: number;
};

type IncomeOfReads = Omit<ReadCounts, 'unique_organisations'> & { readonly earned: Micros };

export type MonthlyIncome = IncomeOfReads & { readonly month: string };

export type CategoryIncome = IncomeOfReads & { readonly category: QueryCategory };

/** A read as its organisation sees it. */
export type OrganisationRead = Pick<Read, 'known_as'> &
  Agreed &
  Pick<
    ListedRead,
    | 'id'
    | 'member_id'
    | 'user_id'
    | 'data_type'
    | 'payment_type'
    | 'gross'
    | 'payment_id'
    | 'is_reversed'
    | 'created_at'
  >;

/** What an organisation has paid in a month, and for how many reads. */
export type MonthlySpend = {
  readonly month: string;
  readonly spent: Micros;
  readonly paid_reads: number;
  readonly free_reads: number;
};

/** Reads of one category by one organisation, as an email to the member has them. */
export type ReadGroup = {
  readonly organisation_name: string;
  readonly data_type: QueryCategory;
  readonly read_count: number;
  readonly earned: Micros;
};

/** The reads of a time: some of the groups, those that earned the most first, and the sums over all. */
export type ReadSummary = {
  readonly groups: readonly ReadGroup[];
  readonly read_count: number;
  readonly earned: Micros;
};

/** A read on the marketplace. Amounts are micro-units of their currency. */
export type MarketplaceRead = Pick<
  ListedRead,
  'id' | 'member_id' | 'org_id' | 'data_type' | 'created_at' | 'is_reversed'
> & {
  /** The id by which the organisation named the member. */
  readonly shown_member_id: string;
  readonly protocol_version: string | null;
  readonly gross_micros: number;
  readonly member_micros: number;
  readonly price_aud_micros: number;
  readonly aud_per_usd_micros: number;
  readonly rate_at: Date;
};

/** The number of reads of one side on the marketplace, and without those that were taken back what was paid in both currencies and the member's share. */
export type MarketplaceTotals = {
  readonly count: number;
  readonly price_aud: Micros;
  readonly price_usd: Micros;
  readonly member_usd: Micros;
};

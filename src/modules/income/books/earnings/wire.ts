import { Type, type Static } from 'typebox';
import { microsToNumber, whole_bps, type Micros } from '#lib/money.ts';
import { queryCategories } from '#modules/people/consent';
import type { Balances } from '../journals/rules.ts';
import { closedObject, field, nullable, patternText, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import {
  readStatuses,
  selectStatus,
  shownPayments,
  toShownPayment,
  type ListedRead,
  type MonthlyIncome,
  type CategoryIncome,
  type ReadCounts,
} from './rules.ts';

const amount = Type.Number({ minimum: 0 });
const count = Type.Integer({ minimum: 0 });
const currency = field(Type.Enum(['USD']), 'The currency of all amounts.', 'USD');

const balanceFields = {
  currency,
  total_earned: field(amount, 'Everything earned so far: the sum of the four amounts below.', 41.25),
  pending_amount: field(amount, 'Earned, but within the payout hold of the service.', 3.75),
  available_amount: field(
    Type.Number(),
    'May be paid out. Below zero only if income was taken back after it was paid out.',
    12.5,
  ),
  in_payout_amount: field(amount, 'On its way to you.', 0),
  paid_out_amount: field(amount, 'Paid out.', 25),
};

/** What a member has earned. */
export const earningsWire = closedObject(
  {
    ...balanceFields,
    transaction_count: field(count, 'The number of paid reads.', 220),
    recognition_count: field(count, 'The number of free reads, which earn recognition.', 4),
    unique_organisations: field(count, 'How many organisations have read, for a payment or free.', 17),
  },
  { $id: 'Earnings' },
);

function toBalanceFields({ total, pending, available, in_payout, paid_out }: Balances) {
  return {
    currency: 'USD' as const,
    total_earned: microsToNumber(total),
    pending_amount: microsToNumber(pending),
    available_amount: microsToNumber(available),
    in_payout_amount: microsToNumber(in_payout),
    paid_out_amount: microsToNumber(paid_out),
  };
}

export function toEarningsWire(balances: Balances, counts: ReadCounts): Static<typeof earningsWire> {
  return { ...toBalanceFields(balances), ...counts };
}

const incomeFields = {
  earned: field(amount, 'The member’s share.', 8.4375),
  transaction_count: field(count, 'The number of paid reads.', 45),
  recognition_count: field(count, 'The number of free reads.', 1),
};

/** Identity Income by month and by category of data. */
export const summaryWire = closedObject(
  {
    ...balanceFields,
    monthly: field(
      Type.Array(
        closedObject({
          month: field(
            patternText('^\\d{4}-\\d{2}$', 'must be a month such as 2026-03'),
            'A month in UTC.',
            '2026-03',
          ),
          ...incomeFields,
        }),
      ),
      'The latest 24 months with reads, the newest first.',
    ),
    top_categories: field(
      Type.Array(
        closedObject({
          category: field(Type.Enum([...queryCategories]), 'A category of identity data.', 'trait_profile'),
          ...incomeFields,
        }),
      ),
      'The categories that were read, the one that has earned the most first.',
    ),
  },
  { $id: 'IncomeSummary' },
);

export type Income = {
  readonly balances: Balances;
  readonly monthly: readonly MonthlyIncome[];
  readonly categories: readonly CategoryIncome[];
};

export function toSummaryWire({ balances, monthly, categories }: Income): Static<typeof summaryWire> {
  return {
    ...toBalanceFields(balances),
    monthly: monthly.map(({ month, ...income }) => ({ month, ...toIncomeFields(income) })),
    top_categories: categories.map(({ category, ...income }) => ({ category, ...toIncomeFields(income) })),
  };
}

function toIncomeFields({
  earned,
  ...counts
}: {
  readonly earned: Micros;
  readonly transaction_count: number;
  readonly recognition_count: number;
}) {
  return { earned: microsToNumber(earned), ...counts };
}

/** Who read what, when and for how much. */
export const readWire = closedObject(
  {
    id: field(uuid, 'The id of the read.', sampleIds.entry),
    org_id: field(uuid, 'The organisation that read.', sampleIds.organisation),
    organisation_name: field(Type.String(), 'Its name now.', 'River Murray Trust'),
    data_type: field(Type.Enum([...queryCategories]), 'What was read.', 'trait_profile'),
    payment_type: field(
      Type.Enum(shownPayments),
      'How it was paid: by a payment proof, which is always one of x402, from the prepaid balance of the organisation, or from its free allowance.',
      'x402',
    ),
    protocol_version: field(
      nullable(Type.String()),
      'The version of the payment protocol; null for a free read.',
      'x402-v2',
    ),
    price: field(amount, 'What the organisation paid, in US dollars.', 0.25),
    price_aud: field(
      nullable(amount),
      'What was agreed in Australian dollars, for a transaction of the marketplace; null for other reads.',
      null,
    ),
    earned: field(amount, 'Your share of it, rounded down to a millionth.', 0.1875),
    share: field(Type.Number({ minimum: 0, maximum: 1 }), 'Your share as a part of one.', 0.75),
    status: field(
      Type.Enum(readStatuses),
      'pending within the payout hold, settled after it; recognition for a free read; reversed if the payment was taken back.',
      'settled',
    ),
    available_at: field(
      nullable(timestamp),
      'When the income could be paid out, or will; null for a free read.',
      '2026-03-09T09:00:00.000Z',
    ),
    created_at: timestamp,
  },
  { $id: 'IdentityRead' },
);

/** Converts what was agreed in Australian dollars to a JSON number. */
export function toAgreedPrice({ price_aud_micros }: Pick<ListedRead, 'price_aud_micros'>): number | null {
  return price_aud_micros === null ? null : microsToNumber(BigInt(price_aud_micros));
}

export function toReadWire(read: ListedRead, now: Date): Static<typeof readWire> {
  const { id, org_id, organisation_name, data_type, payment_type, protocol_version } = read;
  return {
    id,
    org_id,
    organisation_name,
    data_type,
    payment_type: toShownPayment(payment_type),
    protocol_version,
    price: microsToNumber(read.gross),
    price_aud: toAgreedPrice(read),
    earned: microsToNumber(read.member_share),
    share: read.share_bps / whole_bps,
    status: selectStatus(read, now),
    available_at: read.available_at?.toISOString() ?? null,
    created_at: read.created_at.toISOString(),
  };
}

import { Type, type Static } from 'typebox';
import { microsToNumber, whole_bps, type Micros } from '#lib/money.ts';
import { queryCategories } from '#modules/people/consent';
import type { Balances } from '#modules/income/ledger';
import { closedObject, field, nullable, patternText, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { stepCodes, type Legibility, type StepCode } from './legibility/rules.ts';
import {
  readStatuses,
  selectStatus,
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

function toBalanceFields({ total, pending, available, inPayout, paidOut }: Balances) {
  return {
    currency: 'USD' as const,
    total_earned: microsToNumber(total),
    pending_amount: microsToNumber(pending),
    available_amount: microsToNumber(available),
    in_payout_amount: microsToNumber(inPayout),
    paid_out_amount: microsToNumber(paidOut),
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
      Type.Enum(['x402', 'allowance']),
      'How it was paid: every payment proof is one of x402, and a free read comes from the allowance of the organisation.',
      'x402',
    ),
    protocol_version: field(
      nullable(Type.String()),
      'The version of the payment protocol; null for a free read.',
      'x402-v2',
    ),
    price: field(amount, 'What the organisation paid.', 0.25),
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

export function toReadWire(read: ListedRead, now: Date): Static<typeof readWire> {
  const { id, org_id, organisation_name, data_type, payment_type, protocol_version } = read;
  return {
    id,
    org_id,
    organisation_name,
    data_type,
    payment_type: payment_type === 'allowance' ? 'allowance' : 'x402',
    protocol_version,
    price: microsToNumber(read.gross),
    earned: microsToNumber(read.member_share),
    share: read.share_bps / whole_bps,
    status: selectStatus(read, now),
    available_at: read.available_at?.toISOString() ?? null,
    created_at: read.created_at.toISOString(),
  };
}

const part = Type.Number({ minimum: 0, maximum: 1 });
const multiplier = Type.Number({ minimum: 0.5, maximum: 2 });

/** How legible an identity is, for its member alone. */
export const legibilityWire = closedObject(
  {
    score: field(
      part,
      'How legible your identity is: 35 % completeness, 35 % confidence and 30 % queryability.',
      0.74,
    ),
    completeness: field(part, 'How many traits are measured, and how much of the profile is filled.', 0.95),
    confidence: field(part, 'How certain the traits are, compared with a complete assessment.', 0.71),
    queryability: field(part, 'How many of the four categories others may read.', 0.5),
    earning_multiplier: field(
      multiplier,
      'By what the base price of a read is multiplied, in steps of 0.05.',
      1.6,
    ),
    next_steps: field(
      Type.Array(
        closedObject({
          code: field(Type.Enum(stepCodes), 'The step.', 'approve_alignment'),
          description: field(
            Type.String(),
            'The step in words.',
            'Let organisations read the fit of their culture and you.',
          ),
          score_after: field(part, 'The score after this step alone; for the assessment, at most.', 0.81),
          multiplier_after: field(
            multiplier,
            'The multiplier after this step alone; for the assessment, at most.',
            1.7,
          ),
        }),
      ),
      'What would raise the score, the most effective first.',
    ),
  },
  { $id: 'Legibility' },
);

const descriptions: Readonly<Record<StepCode, string>> = {
  complete_assessment: 'Complete the assessment, so that every trait is measured as precisely as possible.',
  fill_profile: 'Fill in your profile: industry, years of experience, education and country.',
  consent_to_queries: 'Consent to assessment_data and identity_queries, and approve all four categories.',
  approve_archetype: 'Let organisations read your archetype.',
  approve_trait_profile: 'Let organisations read your trait profile.',
  approve_values_profile: 'Let organisations read your values profile.',
  approve_alignment: 'Let organisations read the fit of their culture and you.',
};

export function toLegibilityWire({
  score,
  completeness,
  confidence,
  queryability,
  multiplierBps,
  nextSteps,
}: Legibility): Static<typeof legibilityWire> {
  return {
    score: roundPart(score),
    completeness: roundPart(completeness),
    confidence: roundPart(confidence),
    queryability: roundPart(queryability),
    earning_multiplier: multiplierBps / whole_bps,
    next_steps: nextSteps.map(({ code, score_after, multiplier_after_bps }) => ({
      code,
      description: descriptions[code],
      score_after: roundPart(score_after),
      multiplier_after: multiplier_after_bps / whole_bps,
    })),
  };
}

function roundPart(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

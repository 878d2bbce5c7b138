import { computeSecondsUntil } from '#lib/wait-window.ts';
import { microsToNumber, type Micros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import type { RefusalCode } from '#lib/refusals.ts';
import { createConsentRefusal } from '#modules/people/consent';

/** What can be read of a member for a payment, each a category that the member approves. */
export const dataTypes = ['archetype', 'trait_profile', 'values_profile', 'alignment'] as const;

export type DataType = (typeof dataTypes)[number];

/** Whether a text is one of the data types. */
export function isDataType(text: string): text is DataType {
  return dataTypes.some((each) => each === text);
}

/** What an organisation wants to read. */
export type WantedRead = {
  readonly org_id: string;
  readonly user_id: string;
  readonly member_id: string;
  /** The id by which the organisation knows the member. */
  readonly known_as: string;
  readonly data_type: DataType;
  /** The proposal of the member that is paid; the read gets its id. */
  readonly proposal_id?: string;
};

/** The states of a proposal before it is paid. */
export const proposalStatuses = ['pending', 'declined', 'withdrawn', 'expired'] as const;

export type ProposalStatus = (typeof proposalStatuses)[number];

/** A transaction of the marketplace that a member has recorded. */
export type Proposal = {
  readonly id: string;
  readonly member_id: string;
  readonly org_id: string;
  /** The id by which the organisation knows the member. */
  readonly known_as: string;
  readonly data_type: DataType;
  readonly price_aud_micros: number;
  readonly status: ProposalStatus;
  readonly created_at: Date;
  readonly expires_at: Date;
};

/** The price of a read for a multiplier of 1, in micro-units of a US dollar. */
export const basePrices: Readonly<Record<DataType, bigint>> = {
  archetype: 50_000n,
  trait_profile: 250_000n,
  values_profile: 250_000n,
  alignment: 600_000n,
};

/** Reads the price of a read for a multiplier of 1, in US dollars. */
export function readBasePrice(data_type: DataType): number {
  return microsToNumber(basePrices[data_type]);
}

/** The limits of a price in the specification: 0.01 to 1.00 USD. */
export const price_min_micros = 10_000n;
export const price_max_micros = 1_000_000n;

const basis_points = 10_000n;

/** Computes the price of a read: the base price times the member's legibility multiplier in basis points, rounded down, within the limits. */
export function computePrice(data_type: DataType, multiplier_bps: number): bigint {
  const price = (basePrices[data_type] * BigInt(multiplier_bps)) / basis_points;
  if (price < price_min_micros) return price_min_micros;
  return price > price_max_micros ? price_max_micros : price;
}

/** The limits of a multiplier, in basis points: 0.50 to 2.00. */
export const multiplier_min_bps = 5_000n;
export const multiplier_max_bps = 20_000n;

/** Derives the multiplier from what was paid, so that the record of a read explains its price. */
export function deriveMultiplier(data_type: DataType, paid: bigint): number {
  const multiplier = (paid * basis_points) / basePrices[data_type];
  if (multiplier < multiplier_min_bps) return Number(multiplier_min_bps);
  return Number(multiplier > multiplier_max_bps ? multiplier_max_bps : multiplier);
}

/** How many reads an organisation may make a day, and how many are free, once. */
export type ReadLimits = { readonly daily_reads: number; readonly free_reads: number };

export const readLimits = {
  'E1 Explorer': { daily_reads: 100, free_reads: 5 },
  'E2 Builder': { daily_reads: 500, free_reads: 10 },
  'E3 Operator': { daily_reads: 2_000, free_reads: 25 },
  partner: { daily_reads: 10_000, free_reads: 50 },
} as const satisfies Readonly<Record<string, ReadLimits>>;

export type Tier = keyof typeof readLimits;

/** How many reads an organisation has used. */
export type Usage = { readonly daily_reads: number; readonly free_reads: number };

/** How long an organisation may pay the price that it was quoted, in seconds. */
export const quote_seconds = 900;

/** The engagement level from which a member can be read: measured. */
export const engagement_level_min = 3;

/** What decides whether a member's data may be read, as the transaction sees it that reads. */
export type ReadFacts = {
  readonly account_active: boolean;
  /** The level `selective` or `full`, or undefined below. */
  readonly consent_level: 'selective' | 'full' | undefined;
  readonly category_approved: boolean;
  readonly engagement_level: number;
};

/**
 * Checks that the member lets others read this category. An account that is not active counts as one without consent, so that nobody learns
 * about suspensions.
 *
 * @throws Refusal `consent_required`, `category_not_approved`, `engagement_level_too_low`.
 */
export function checkReadable(facts: ReadFacts, data_type: DataType): void {
  if (!facts.account_active || facts.consent_level === undefined)
    throw createConsentRefusal('identity_queries');
  if (!facts.category_approved)
    throw new Refusal('category_not_approved', { detail: `The member has not approved ${data_type}.` });
  if (facts.engagement_level < engagement_level_min)
    throw new Refusal('engagement_level_too_low', {
      detail:
        'Identity data is read from engagement level 3 (Augmented) on: the member has not been measured.',
    });
}

/** How much is known of a member, from most to least. */
export const dataCompleteness = ['comprehensive', 'substantial', 'partial', 'minimal'] as const;

export type DataCompleteness = (typeof dataCompleteness)[number];

/** A trait is known from this variance on: half of that of the population. */
const known_variance_max = 0.5;

/** Whether a trait is known well enough to say something of the person. */
export function isKnownVariance(variance: number): boolean {
  return variance <= known_variance_max;
}

const substantial_traits = 15;
const partial_traits = 6;

/** Says how much is known: `comprehensive` after a complete assessment, `substantial` from 15 of 18 known traits, `partial` from 6. */
export function chooseCompleteness({
  preliminary,
  variance,
}: {
  readonly preliminary: boolean;
  readonly variance: readonly number[];
}): DataCompleteness {
  if (!preliminary) return 'comprehensive';
  const known_traits = variance.filter(isKnownVariance).length;
  if (known_traits >= substantial_traits) return 'substantial';
  return known_traits >= partial_traits ? 'partial' : 'minimal';
}

/** Formats the day of a quota, which begins at midnight UTC. */
export function formatDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** For how many days answers that are not reads are counted, today included. */
const counted_days = 30;

/** Computes a time in the first day for which answers that are not reads are counted together. */
export function computeFirstCountedDay(now: Date): Date {
  return new Date(now.getTime() - (counted_days - 1) * 86_400_000);
}

/** Computes when the day of a quota ends: at the next midnight UTC. */
export function computeNextDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}

/** Computes the beginning (UTC) of the first of the latest `months` months. */
export function computeFirstMonth(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1));
}

/** Creates the refusal of a read beyond the daily quota, with the seconds until the next day. */
export function createQuotaRefusal(tier: Tier, now: Date): Refusal {
  return new Refusal('query_quota_spent', {
    detail: `The tier ${tier} allows ${readLimits[tier].daily_reads} reads of identity data a day, and in 30 days as many more answers that refuse one or ask for its payment than reads.`,
    headers: { 'retry-after': String(computeSecondsUntil(computeNextDay(now), now)) },
  });
}

/** Why a read is refused, apart from its payment. */
export const readRefusals = [
  'email_not_verified',
  'member_not_found',
  'organisation_not_found',
  'consent_required',
  'category_not_approved',
  'consent_withdrawn',
  'engagement_level_too_low',
  'nothing_to_read',
  'organisation_suspended',
  'culture_profile_not_ready',
  'query_quota_spent',
  'tool_not_granted',
  'grant_spend_cap_reached',
] as const satisfies readonly RefusalCode[];

/** The member's share of what is paid, in basis points. */
export const share_bps = 7_500;

const micros_in_unit = 1_000_000n;

/** Converts an amount in US dollars to Australian dollars, rounded down to a micro-unit. Both and the rate are in micro-units. */
export function convertToAud(usd: Micros, aud_per_usd: Micros): Micros {
  return (usd * aud_per_usd) / micros_in_unit;
}

/** Converts an amount in Australian dollars to US dollars, rounded down to a micro-unit. */
export function convertToUsd(aud: Micros, aud_per_usd: Micros): Micros {
  return (aud * micros_in_unit) / aud_per_usd;
}

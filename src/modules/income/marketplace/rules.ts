import { microsFromNumber, splitByBasisPoints, type Micros } from '#lib/money.ts';
import { createFieldRefusal } from '#lib/refusal.ts';

/** The states of a transaction. Only what is paid and read is recorded; `reversed` if its payment was taken back since. */
export const transactionStatuses = ['completed', 'reversed'] as const;

export const protocolVersions = ['x402-v1', 'x402-v2', 'tx-hash'] as const;

export type ProtocolVersion = (typeof protocolVersions)[number];

/** A purchase on the marketplace. Amounts are micro-units of their currency. */
export type MarketplaceTransaction = {
  readonly id: string;
  /** Null after the member's erasure. */
  readonly member_id: string | null;
  readonly shown_member_id: string;
  readonly org_id: string;
  readonly claim_id: string;
  readonly data_type: string;
  readonly status: (typeof transactionStatuses)[number];
  readonly protocol_version: ProtocolVersion;
  readonly price_usd_micros: number;
  readonly member_usd_micros: number;
  readonly price_aud_micros: number;
  readonly aud_per_usd_micros: number;
  readonly rate_at: Date;
  readonly created_at: Date;
};

/** A purchase that was paid and read. */
export type CompletedPurchase = Pick<
  MarketplaceTransaction,
  'id' | 'member_id' | 'shown_member_id' | 'org_id' | 'claim_id' | 'data_type'
> & {
  /** `mock` is a payment in development, without a chain. */
  readonly protocol_version: ProtocolVersion | 'mock';
  /** What was paid, in micro-units of a US dollar. */
  readonly amount: Micros;
  readonly at: Date;
};

/** Builds the transaction of a purchase, with both prices and the rate by which they correspond. */
export function completePurchase(
  { amount, at, protocol_version, ...purchase }: CompletedPurchase,
  { aud_per_usd, share_bps }: { readonly aud_per_usd: Micros; readonly share_bps: number },
): MarketplaceTransaction {
  return {
    ...purchase,
    status: 'completed',
    // The specification shows the transaction of a mock payment as x402-v1.
    protocol_version: protocol_version === 'mock' ? 'x402-v1' : protocol_version,
    price_usd_micros: Number(amount),
    member_usd_micros: Number(splitByBasisPoints(amount, share_bps).part),
    price_aud_micros: Number(convertToAud(amount, aud_per_usd)),
    aud_per_usd_micros: Number(aud_per_usd),
    rate_at: at,
    created_at: at,
  };
}

/** The number of a party's transactions, and without those that were taken back what was paid in both currencies and the member's share. */
export type Totals = {
  readonly count: number;
  readonly price_aud: Micros;
  readonly price_usd: Micros;
  readonly member_usd: Micros;
};

/** The price of the largest offer in AUD. */
export const price_aud_max = 1_000;

const micros_in_unit = 1_000_000n;

/** Converts an amount in US dollars to Australian dollars, rounded down to a micro-unit. Both and the rate are in micro-units. */
export function convertToAud(usd: Micros, aud_per_usd: Micros): Micros {
  return (usd * aud_per_usd) / micros_in_unit;
}

/** Converts an amount in Australian dollars to US dollars, rounded down to a micro-unit. */
export function convertToUsd(aud: Micros, aud_per_usd: Micros): Micros {
  return (aud * micros_in_unit) / aud_per_usd;
}

/**
 * Reads the price that a buyer offers.
 *
 * @throws Refusal `field_invalid` for more than six decimals.
 */
export function readOffer(price_aud: number): Micros {
  try {
    return microsFromNumber(price_aud);
  } catch {
    throw createFieldRefusal('field_invalid', '/price_aud', 'must have at most six decimals');
  }
}

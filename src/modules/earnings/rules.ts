import type { Micros } from '#lib/money.ts';
import type { QueryCategory } from '#modules/consent';
import type { Rail } from '#modules/ledger';

/** How a read was paid: by a rail, or from the organisation's free allowance. */
export const paymentTypes = ['x402', 'transfer', 'mock', 'allowance'] as const;

export type PaymentType = Rail | 'allowance';

/** One read of a member's identity data by an organisation. */
export type Read = {
  readonly id: string;
  readonly member_id: string;
  readonly org_id: string;
  readonly user_id: string;
  readonly data_type: QueryCategory;
  readonly payment_type: PaymentType;
  /** What the organisation paid, and what of it is the member's. */
  readonly gross: Micros;
  readonly member_share: Micros;
  readonly share_bps: number;
  readonly multiplier_bps: number;
  readonly claim_id: string | null;
  readonly protocol_version: string | null;
  readonly journal_id: string | null;
  readonly created_at: Date;
};

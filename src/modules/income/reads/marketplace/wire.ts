import { Type, type Static } from 'typebox';
import { microsToNumber } from '#lib/money.ts';
import type { MarketplaceRead, MarketplaceTotals, Side } from '#modules/income/books';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { dataTypes, proposalStatuses, type Proposal } from '../rules.ts';

/** The states of a transaction: first those of a proposal by a member, then those of what is paid and read. */
const statuses = [...proposalStatuses, 'completed', 'reversed'] as const;

const protocolVersions = ['x402-v1', 'x402-v2', 'tx-hash'] as const;

const amount = Type.Number({ minimum: 0 });

/** A transaction of the marketplace. Its two sides see it alike, except that an organisation sees the name by which it knows the member instead of the id. */
export const marketplaceReadWire = closedObject(
  {
    id: field(uuid, 'The id of the transaction.', sampleIds.entry),
    member_id: field(
      nullable(uuid),
      'The member; for the organisation, the `member_id` by which it bought or can buy. Null if the member was erased.',
      sampleIds.member,
    ),
    org_id: uuid,
    data_type: field(Type.Enum(dataTypes), 'What was bought.', 'trait_profile'),
    price_aud: field(
      amount,
      'What was agreed, or is asked while the transaction is pending, in Australian dollars.',
      0.375,
    ),
    price_usd: field(
      nullable(amount),
      'The same in US dollars, in which it was settled; null unless it is paid.',
      0.25,
    ),
    aud_per_usd: field(
      nullable(amount),
      'The rate of exchange by which the two correspond; null unless it is paid.',
      1.5,
    ),
    rate_at: field(
      nullable(timestamp),
      'When the rate was read; null unless it is paid.',
      '2026-03-02T09:00:00.000Z',
    ),
    status: field(
      Type.Enum(statuses),
      'The state of the transaction. One that a member has recorded is pending until the organisation pays it, declines it or lets it expire, or the member takes it back (withdrawn). It is reversed if its payment was taken back, for example because the chain has dropped it. Totals have only what is completed.',
      'completed',
    ),
    protocol_version: field(Type.Enum(protocolVersions), 'The protocol of the payment.', 'x402-v1'),
    expires_at: field(
      nullable(timestamp),
      'Until when the organisation can pay, if a member has recorded the transaction; null once it is paid.',
      null,
    ),
    created_at: timestamp,
  },
  { $id: 'MarketplaceTransaction' },
);

/** A proposal as one of its sides sees it. */
export function toProposalWire(proposal: Proposal, side: Side): Static<typeof marketplaceReadWire> {
  const { id, org_id, data_type, status } = proposal;
  return {
    id,
    member_id: 'member_id' in side ? proposal.member_id : proposal.known_as,
    org_id,
    data_type,
    price_aud: toNumber(proposal.price_aud_micros),
    price_usd: null,
    aud_per_usd: null,
    rate_at: null,
    status,
    protocol_version: 'x402-v1',
    expires_at: proposal.expires_at.toISOString(),
    created_at: proposal.created_at.toISOString(),
  };
}

export function toMarketplaceReadWire(read: MarketplaceRead, side: Side): Static<typeof marketplaceReadWire> {
  const { protocol_version: version } = read;
  return {
    id: read.id,
    member_id: 'member_id' in side ? read.member_id : read.shown_member_id,
    org_id: read.org_id,
    data_type: read.data_type,
    price_aud: toNumber(read.price_aud_micros),
    price_usd: toNumber(read.gross_micros),
    aud_per_usd: toNumber(read.aud_per_usd_micros),
    rate_at: read.rate_at.toISOString(),
    status: read.is_reversed ? 'reversed' : 'completed',
    // The specification shows a mock payment as x402-v1.
    protocol_version: version === 'x402-v2' || version === 'tx-hash' ? version : 'x402-v1',
    expires_at: null,
    created_at: read.created_at.toISOString(),
  };
}

function toNumber(micros: number): number {
  return microsToNumber(BigInt(micros));
}

const count = Type.Integer({ minimum: 0 });

/** What a member has earned on the marketplace. */
export const earningsTotalsFields = {
  total_earned_usd: field(amount, 'The member’s share of all transactions, in US dollars.', 0.1875),
  total_price_aud: field(amount, 'What the organisations paid, in Australian dollars.', 0.375),
  transaction_count: field(count, 'The number of transactions.', 1),
};

/** What an organisation has spent on the marketplace. */
export const spendTotalsFields = {
  total_spend_aud: field(amount, 'What the organisation paid, in Australian dollars.', 0.375),
  total_spend_usd: field(amount, 'The same in US dollars, in which it was settled.', 0.25),
  transaction_count: field(count, 'The number of transactions.', 1),
};

export function toEarningsTotals({ count: transaction_count, member_usd, price_aud }: MarketplaceTotals) {
  return {
    total_earned_usd: microsToNumber(member_usd),
    total_price_aud: microsToNumber(price_aud),
    transaction_count,
  };
}

export function toSpendTotals({ count: transaction_count, price_aud, price_usd }: MarketplaceTotals) {
  return {
    total_spend_aud: microsToNumber(price_aud),
    total_spend_usd: microsToNumber(price_usd),
    transaction_count,
  };
}

import { Type, type Static } from 'typebox';
import { microsToNumber } from '#lib/money.ts';
import { dataTypes } from '#modules/income/queries';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { protocolVersions, transactionStatuses, type MarketplaceTransaction, type Totals } from './rules.ts';

const amount = Type.Number({ minimum: 0 });

/** A purchase. Its parties see it alike, except that an organisation sees the name by which it bought instead of the member's id. */
export const transactionWire = closedObject(
  {
    id: field(uuid, 'The id of the transaction.', sampleIds.entry),
    member_id: field(
      nullable(uuid),
      'The member; for the organisation, the `member_id` by which it bought. Null if the member was erased.',
      sampleIds.member,
    ),
    org_id: uuid,
    data_type: field(Type.Enum(dataTypes), 'What was bought.', 'trait_profile'),
    price_aud: field(amount, 'What the organisation paid, in Australian dollars.', 0.375),
    price_usd: field(amount, 'The same in US dollars, in which it was settled.', 0.25),
    aud_per_usd: field(amount, 'The rate of exchange by which the two correspond.', 1.5),
    rate_at: field(timestamp, 'When the rate was read.', '2026-03-02T09:00:00.000Z'),
    status: field(
      Type.Enum(transactionStatuses),
      'The state of the transaction; reversed if its payment was taken back, for example because the chain has dropped it. Totals leave it out.',
      'completed',
    ),
    protocol_version: field(Type.Enum(protocolVersions), 'The protocol of the payment.', 'x402-v1'),
    created_at: timestamp,
  },
  { $id: 'MarketplaceTransaction' },
);

export function toTransactionWire(
  each: MarketplaceTransaction,
  reader: 'member' | 'organisation',
): Static<typeof transactionWire> {
  return {
    id: each.id,
    member_id: reader === 'member' ? each.member_id : each.shown_member_id,
    org_id: each.org_id,
    // Written from one of the data types.
    data_type: each.data_type as Static<typeof transactionWire>['data_type'],
    price_aud: toNumber(each.price_aud_micros),
    price_usd: toNumber(each.price_usd_micros),
    aud_per_usd: toNumber(each.aud_per_usd_micros),
    rate_at: each.rate_at.toISOString(),
    status: each.status,
    protocol_version: each.protocol_version,
    created_at: each.created_at.toISOString(),
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

export function toEarningsTotals({ count: transaction_count, member_usd, price_aud }: Totals) {
  return {
    total_earned_usd: microsToNumber(member_usd),
    total_price_aud: microsToNumber(price_aud),
    transaction_count,
  };
}

export function toSpendTotals({ count: transaction_count, price_aud, price_usd }: Totals) {
  return {
    total_spend_aud: microsToNumber(price_aud),
    total_spend_usd: microsToNumber(price_usd),
    transaction_count,
  };
}

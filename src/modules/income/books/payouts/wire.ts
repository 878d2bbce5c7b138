import { Type, type Static } from 'typebox';
import { microsToNumber } from '#lib/money.ts';
import { closedObject, field, nullable, patternText, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { payoutStatuses, type Payout } from './rules.ts';

const sampleAddress = '0x52908400098527886E0F7030069857D2E4169EE7';

/** The amount of a request: dollars with at most six decimals. */
export const amountInput = field(
  Type.Number({ minimum: 0.000_001, maximum: 1_000_000_000 }),
  'The amount in US dollars, with at most six decimals. Without it, everything that is available.',
  12.5,
);

export const destinationInput = patternText('^0x[0-9a-fA-F]{40}$', 'must be 0x and 40 hexadecimal digits', {
  description:
    'The address on the chain of this service that receives the money. Check it: a transfer cannot be taken back.',
  examples: [sampleAddress],
});

/** A payout of a member's income. */
export const payoutWire = closedObject(
  {
    id: field(uuid, 'The id of the payout.', sampleIds.entry),
    status: field(
      Type.Enum(payoutStatuses),
      'requested, then sending; paid when the money has arrived, or returned if it could not be sent and is available again.',
      'paid',
    ),
    amount: field(Type.Number({ exclusiveMinimum: 0 }), 'The amount.', 12.5),
    currency: field(Type.Enum(['USD']), 'The currency of the amount.', 'USD'),
    destination: field(Type.String(), 'The address that receives the money.', sampleAddress),
    transaction_hash: field(
      nullable(Type.String()),
      'The transaction on the chain; null before it is signed.',
      '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b',
    ),
    requested_at: field(timestamp, 'When the payout was requested.', '2026-03-12T09:00:00.000Z'),
    ended_at: field(
      nullable(timestamp),
      'When the payout was paid or returned; null while it is in progress.',
      '2026-03-12T09:01:00.000Z',
    ),
  },
  { $id: 'Payout' },
);

export function toPayoutWire(payout: Payout): Static<typeof payoutWire> {
  const { id, status, amount, destination, transaction_hash, requested_at, ended_at } = payout;
  return {
    id,
    status,
    amount: microsToNumber(amount),
    currency: 'USD',
    destination: destination ?? '',
    transaction_hash,
    requested_at: requested_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  };
}

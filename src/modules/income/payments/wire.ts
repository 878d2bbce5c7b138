import { Type } from 'typebox';
import { sampleIds } from '#platform/schema-samples.ts';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { rails } from './rules.ts';

const unresolvedWire = closedObject(
  {
    id: field(uuid, 'The id of the payment.', '6f708192-a3b4-4c5d-8e6f-708192a3b4c5'),
    state: field(
      Type.Enum(['claimed', 'settling', 'unknown', 'settled']),
      'How far it has come: `claimed` was not sent, `settling` is in progress, `unknown` may have been carried out, `settled` has no read yet.',
      'unknown',
    ),
    rail: field(Type.Enum(rails), 'The kind of payment.', 'x402'),
    org_id: field(uuid, 'The organisation that pays.', sampleIds.organisation),
    data_type: field(Type.String(), 'What it pays for.', 'trait_profile'),
    amount: field(Type.Number(), 'The amount in US dollars.', 0.05),
    payer: field(
      nullable(Type.String()),
      'The address that pays.',
      '0x5b38da6a701c568545dcfcb03fcb875f56beddc4',
    ),
    transaction: field(nullable(Type.String()), 'The hash of the transaction, as far as it is known.', null),
    reason: field(nullable(Type.String()), 'Why its outcome is not known.', 'facilitator_timeout'),
    created_at: field(timestamp, 'When it was presented.', '2026-07-31T09:00:00.000Z'),
    attempted_at: field(timestamp, 'When it was last compared with the chain.', '2026-07-31T09:01:00.000Z'),
  },
  { $id: 'UnresolvedPayment' },
);

export const unresolvedListWire = closedObject(
  { data: field(Type.Array(unresolvedWire), 'The payments, oldest first.') },
  { $id: 'UnresolvedPaymentList' },
);

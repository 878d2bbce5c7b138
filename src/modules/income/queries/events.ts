import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { dataTypes } from './rules.ts';

/** An organisation read identity data of a member. For the service itself: an organisation never receives the member's id. */
export const readRecorded = event(
  'queries.readRecorded',
  closedObject({
    read_id: uuid,
    member_id: uuid,
    org_id: uuid,
    data_type: Type.Enum(dataTypes),
    /** What the organisation paid, in micro-units; 0 for a free read. */
    gross_micros: Type.Integer({ minimum: 0 }),
  }),
);

/**
 * A read that was bought on the marketplace was recorded by the task `queries.finishPayments`, because its process had ended before. Its claim
 * says what was paid.
 */
export const purchaseFinished = event(
  'queries.purchaseFinished',
  closedObject({
    claim_id: uuid,
    member_id: uuid,
    /** The id by which the organisation named the member. */
    shown_member_id: uuid,
    org_id: uuid,
    data_type: Type.Enum(dataTypes),
    protocol_version: Type.Enum(['x402-v1', 'x402-v2', 'tx-hash', 'mock']),
    amount_micros: Type.Integer({ minimum: 1 }),
  }),
);

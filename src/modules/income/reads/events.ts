import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { dataTypes } from './rules.ts';

/** An organisation read identity data of a member. For the service itself: an organisation never receives the member's id. */
export const readRecorded = event(
  'reads.readRecorded',
  closedObject({
    read_id: uuid,
    member_id: uuid,
    org_id: uuid,
    data_type: Type.Enum(dataTypes),
    /** What the organisation paid, in micro-units; 0 for a free read. */
    gross_micros: Type.Integer({ minimum: 0 }),
  }),
);

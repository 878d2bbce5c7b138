import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, nullable, timestamp, uuid } from '#platform/schema.ts';

/** `member_id` is for the service itself. An organisation receives `shown_member_id` in its place: an alias until both have agreed. */
const data = closedObject({
  match_id: uuid,
  job_id: uuid,
  org_id: uuid,
  member_id: uuid,
  shown_member_id: uuid,
});

const placementData = closedObject({
  ...data.properties,
  outcome: Type.Enum(['placed', 'left', 'extended']),
  placed_at: timestamp,
  ended_at: nullable(timestamp),
});

/** A placement was recorded. */
export const placementCreated = event('placement.created', placementData);

/** A placement changed. */
export const placementUpdated = event('placement.updated', placementData);

/** The organisation is interested in the member. */
export const matchProposed = event('match.proposed', data);

/** The member accepted the match. */
export const matchAccepted = event('match.accepted', data);

/** The member declined the match. */
export const matchDeclined = event('match.declined', data);

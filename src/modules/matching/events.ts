import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { uuid } from '#platform/schema.ts';

const data = Type.Object(
  { match_id: uuid, job_id: uuid, org_id: uuid, member_id: uuid },
  { additionalProperties: false },
);

/** The organisation is interested in the member. */
export const matchProposed = event('match.proposed', data);

/** The member accepted the match. */
export const matchAccepted = event('match.accepted', data);

/** The member declined the match. */
export const matchDeclined = event('match.declined', data);

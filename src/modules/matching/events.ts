import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

const data = closedObject({ match_id: uuid, job_id: uuid, org_id: uuid, member_id: uuid });

/** The organisation is interested in the member. */
export const matchProposed = event('match.proposed', data);

/** The member accepted the match. */
export const matchAccepted = event('match.accepted', data);

/** The member declined the match. */
export const matchDeclined = event('match.declined', data);

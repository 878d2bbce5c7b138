import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** A grant has ended before its time: its tokens are worth nothing any more. */
export const grantRevoked = event('grants.revoked', closedObject({ grant_id: uuid, user_id: uuid }));

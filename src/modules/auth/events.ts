import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** A member's account lost its address to the owner of the mailbox, and is erased. */
export const accountDisplaced = event('account.displaced', closedObject({ member_id: uuid }));

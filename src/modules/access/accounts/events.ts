import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** The operator has lifted the suspension of an organisation. */
export const organisationResumed = event('organisation.resumed', closedObject({ org_id: uuid }));

/** A member's account lost its address to the owner of the mailbox, and is erased. */
export const accountDisplaced = event('account.displaced', closedObject({ member_id: uuid }));

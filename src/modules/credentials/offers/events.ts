import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** A credential is offered to a member, who can accept it from now on. */
export const offerOpened = event(
  'credential_offer.opened',
  closedObject({ member_id: uuid, at: Type.String({ format: 'date-time' }) }),
);

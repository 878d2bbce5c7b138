import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** A credential is offered to a member, who can accept it from now on. */
export const offerOpened = event(
  'credential_offer.opened',
  closedObject({ member_id: uuid, at: Type.String({ format: 'date-time' }) }),
);

/** The credential that came of an offer was revoked by the organisation that vouched for it. */
export const offerRevoked = event(
  'credential_offer.revoked',
  closedObject({ member_id: uuid, offer_id: uuid }),
);

import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { consentTypes } from './consent-types.ts';

/** A member withdrew a consent. Only for the listeners of this service; webhooks do not receive it. */
export const consentWithdrawn = event(
  'consent.withdrawn',
  closedObject({ member_id: uuid, consent_type: Type.Enum(consentTypes) }),
);

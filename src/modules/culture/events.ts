import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { uuid } from '#platform/schema.ts';

/** An organisation has a new version of its culture profile. */
export const culturePublished = event(
  'culture.published',
  Type.Object({ org_id: uuid }, { additionalProperties: false }),
);

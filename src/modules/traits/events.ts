import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { uuid } from '#platform/schema.ts';

/** An assessment was completed, and the member has a new trait vector. */
export const traitsMeasured = event(
  'traits.measured',
  Type.Object({ member_id: uuid }, { additionalProperties: false }),
);

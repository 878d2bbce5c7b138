import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** An assessment was completed, and the member has a new trait vector. */
export const traitsMeasured = event('traits.measured', closedObject({ member_id: uuid }));

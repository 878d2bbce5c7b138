import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** An assessment was completed, and the member has a new trait vector. */
export const traitsMeasured = event('traits.measured', closedObject({ member_id: uuid }));

const moment = closedObject({ member_id: uuid, at: Type.String({ format: 'date-time' }) });

/** A member began their first assessment. */
export const assessmentStarted = event('traits.assessment_started', moment);

/** A stage of an assessment ended, and its member has new results. */
export const stageEnded = event('traits.stage_ended', moment);

/** All lists use the vectors of another version of the item parameters from now on. */
export const vectorsSwitched = event(
  'traits.vectors_switched',
  closedObject({ parameter_version: Type.String() }),
);

import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { feedbackStages } from './resource.ts';

/** A placement has reached a stage, and both sides can give feedback. */
export const stageOpened = event(
  'feedback.stage_opened',
  closedObject({
    match_id: uuid,
    job_id: uuid,
    org_id: uuid,
    member_id: uuid,
    stage_days: Type.Enum([...feedbackStages]),
  }),
);

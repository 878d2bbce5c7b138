import { Type } from 'typebox';
import { field } from '#platform/schema.ts';

const undo_seconds_max = 60;

/** How long the effects of a decision wait. Undone before, it has none. */
export const undoSecondsInput = Type.Optional(
  field(
    Type.Integer({ minimum: 0, maximum: undo_seconds_max }),
    'For how many seconds the event and the email of an interest wait. If the interest is withdrawn before, nobody is informed of it. 0 if absent.',
    10,
  ),
);

/** Says whether a decision can be undone as a whole. */
export function isUndoable(status: string): boolean {
  return status === 'org_interested' || status === 'org_passed';
}

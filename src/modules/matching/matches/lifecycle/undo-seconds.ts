import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
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

/**
 * Checks that only a decision that can be undone as a whole waits.
 *
 * @throws Refusal `field_invalid`.
 */
export function checkUndoSeconds({
  status,
  undo_seconds = 0,
}: {
  readonly status: string;
  readonly undo_seconds?: number;
}): void {
  if (undo_seconds > 0 && status !== 'org_interested' && status !== 'org_passed')
    throw createFieldRefusal(
      'field_invalid',
      '/undo_seconds',
      'must only be given with the status org_interested or org_passed',
    );
}

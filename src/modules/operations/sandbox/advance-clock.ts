import { Type } from 'typebox';
import { recordCallerAudit } from '#modules/operations/audit';
import { queuedTaskWire } from '#modules/operations/tasks';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { moveClock } from './move-clock.ts';
import { requireTestClock } from './require-test-clock.ts';
import { advance_seconds_max, computeTarget } from './rules.ts';

export const advanceClock = operation({
  name: 'sandbox.advanceClock',
  title: 'Advance the test clock',
  summary:
    'Lets time pass in a sandbox: the clock goes forward, and stops on its way wherever something is due, until that is done. `GET /tasks/{task_id}` says when all of it is done. Only a sandbox has this row.',
  who: ['org_admin', 'platform_admin'],
  input: Type.Object({
    advance_seconds: field(
      Type.Integer({ minimum: -advance_seconds_max, maximum: advance_seconds_max }),
      'How many seconds pass, at most 31 days. The clock only goes forward.',
      86_400,
    ),
  }),
  output: { 202: queuedTaskWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  refuses: ['sandbox_not_found', 'clock_backwards', 'clock_limit_reached'],
  idempotent: true,
  run: (context, { advance_seconds }) => {
    const clock = requireTestClock(context);
    const target = computeTarget({ now: clock.now(), ahead_ms: clock.readAhead() }, advance_seconds);
    const to = target.toISOString();
    return context.transaction(async (tx) => {
      const task = await context.queue.start(tx, moveClock, { to }, context.caller.user_id);
      await recordCallerAudit(context, tx, { action: 'sandbox.clock_advanced', detail: { to } });
      return task;
    });
  },
});

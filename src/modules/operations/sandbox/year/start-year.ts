import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { checkVerifiedAdmin } from '#modules/matching/matches';
import { recordCallerAudit } from '#modules/operations/audit';
import { queuedTaskWire } from '#modules/operations/tasks';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { moveClock } from '../move-clock.ts';
import { requireTestClock } from '../require-test-clock.ts';
import { computeYearBeginning, countAccounts } from '../rules.ts';
import { lockSandbox, startStoredYear } from '../store.ts';
import { hasYearFailed } from './has-year-failed.ts';
import { planYear } from './plan-year.ts';

export const startYear = operation({
  name: 'sandbox.startYear',
  title: 'Play a year',
  summary:
    'Plays a year in a sandbox: the test clock goes forward by 52 weeks, and the organisation of the caller and the made-up members do what is drawn with a seed, by the operations of this API. The same seed gives the same year. `GET /tasks/{task_id}` shows the progress. Only a sandbox has this row.',
  who: ['org_admin'],
  input: Type.Object({
    seed: Type.Optional(
      field(
        Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
        'What the year is drawn with; that of the made-up people if it is left out.',
        1,
      ),
    ),
  }),
  output: { 202: queuedTaskWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  refuses: [
    'sandbox_not_found',
    'sandbox_empty',
    'year_running',
    'clock_limit_reached',
    'email_not_verified',
  ],
  idempotent: true,
  run: async (context, input) => {
    const clock = requireTestClock(context);
    // Without a verified administrator it could neither read a list nor invite anybody.
    await checkVerifiedAdmin(context);
    computeYearBeginning({ now: clock.now(), ahead_ms: clock.readAhead() });
    return context.transaction(async (tx) => {
      const sandbox = requireFound(await lockSandbox(tx), 'sandbox_not_found');
      const member_count = countAccounts(sandbox.member_count);
      if (sandbox.seed === null || member_count === 0) throw new Refusal('sandbox_empty');
      if (sandbox.year?.status === 'running' && !(await hasYearFailed(tx, sandbox.year)))
        throw new Refusal('year_running');
      const { org_id, user_id } = context.caller;
      const { seed = sandbox.seed } = input;
      const year = { id: randomUUID(), seed, org_id };
      await startStoredYear(tx, { ...year, acts_total: planYear(seed, member_count).length });
      const task = await context.queue.start(tx, moveClock, { year: { ...year, user_id } }, user_id);
      await recordCallerAudit(context, tx, { action: 'sandbox.year_started', org_id });
      return task;
    });
  },
});

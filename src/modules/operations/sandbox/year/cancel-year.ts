import { Type } from 'typebox';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { requireTestClock } from '../require-test-clock.ts';
import { endYear, lockSandbox } from '../store.ts';

export const cancelYear = operation({
  name: 'sandbox.cancelYear',
  title: 'Cancel the year',
  summary:
    'Ends a year that the organisation of the caller plays in a sandbox, after the act that is being played. What has happened stays. Only a sandbox has this row.',
  who: ['org_admin', 'platform_admin'],
  input: Type.Object({}),
  output: { 204: null },
  refuses: ['sandbox_not_found', 'year_not_running'],
  run: async (context) => {
    requireTestClock(context);
    return context.transaction(async (tx) => {
      const { caller } = context;
      const { year } = requireFound(await lockSandbox(tx), 'sandbox_not_found');
      const isOwn = caller.role === 'platform_admin' || year?.org_id === caller.org_id;
      if (!year || !isOwn || !(await endYear(tx, year.id, 'cancelled')))
        throw new Refusal('year_not_running');
      await recordCallerAudit(context, tx, { action: 'sandbox.year_cancelled', org_id: year.org_id });
      return null;
    });
  },
});

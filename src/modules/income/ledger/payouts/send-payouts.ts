import { task } from '#platform/queue/task.ts';
import type { Payout } from '../rules.ts';
import { advancePayout } from './advance-payout.ts';
import { selectRail } from './select-rail.ts';
import { listUnfinished } from './store.ts';

const batch_payouts = 100;
const batches_max = 1_000;

/**
 * Advances every payout that has not ended. One that fails does not delay the others: it is tried again by the next run. Payouts of a rail that
 * this installation cannot use wait.
 */
export const sendPayouts = task({
  name: 'ledger.sendPayouts',
  retry_seconds: [10, 60],
  every: '* * * * *',
  merge_by: () => 'all',
  run: async (context) => {
    const failures: unknown[] = [];
    let last: Payout | undefined;
    for (let batch = 0; batch < batches_max; batch++) {
      const payouts = await listUnfinished(context.database, last, batch_payouts);
      for (const payout of payouts) {
        context.signal.throwIfAborted();
        const rail = selectRail(context, payout.rail);
        if (rail) await advancePayout(context, rail, payout).catch((error: unknown) => failures.push(error));
      }
      last = payouts.at(-1);
      if (payouts.length < batch_payouts) break;
    }
    if (failures.length > 0) throw new AggregateError(failures, 'payouts could not be sent');
  },
});

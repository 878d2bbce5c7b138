import { task } from '#platform/queue/task.ts';
import type { Services } from '#platform/platform.ts';
import { createChainRail } from './chain-rail.ts';
import { mockRail, type PayoutRail } from './payout-rail.ts';
import type { Payout, PayoutRailName } from './rules.ts';
import { advancePayout } from './advance-payout.ts';
import { listUnfinished } from './store.ts';

const batch_payouts = 100;
const batches_max = 1_000;

/**
 * Advances every payout that has not ended. One that fails does not delay the others: it is tried again by the next run. Payouts of a rail that
 * this installation cannot use wait.
 */
export const sendPayouts = task({
  name: 'books.sendPayouts',
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

/** Returns the rail with a name; undefined if this installation cannot use it. */
function selectRail(services: Services, name: PayoutRailName): PayoutRail | undefined {
  const { payments, payout_rail } = services.config;
  if (name === 'mock') return payments.rails.includes('mock') ? mockRail : undefined;
  return payout_rail === 'chain' ? createChainRail(services) : undefined;
}

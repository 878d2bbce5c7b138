import { task } from '#platform/queue/task.ts';
import { endStub } from './end-stub.ts';
import { computeOldestStubTime } from './rules.ts';
import { lockOldStubs } from './store.ts';

const batch_stubs = 50;
const batches_max = 1_000;

/** Ends stubs that nobody has claimed for two years. */
export const forgetStubs = task({
  name: 'stubs.forgetStubs',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '19 * * * *',
  run: async (context) => {
    const before = computeOldestStubTime(context.now());
    for (let batch = 0; batch < batches_max; batch++) {
      context.signal.throwIfAborted();
      const ended = await context.database.transaction(async (tx) => {
        const member_ids = await lockOldStubs(tx, before, batch_stubs);
        for (const member_id of member_ids) await endStub(context, tx, member_id);
        return member_ids.length;
      });
      if (ended < batch_stubs) break;
    }
  },
});

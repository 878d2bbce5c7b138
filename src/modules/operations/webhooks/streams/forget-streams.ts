import { readWorldTime } from '#platform/clock.ts';
import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deliverEvents } from '../sending/deliver-events.ts';
import { removeHistory } from '../sending/remove-history.ts';
import { deleteAbandonedStreams, pauseFullStreams } from './store.ts';

const abandoned_ms = 86_400_000;
/** As many as one `recover` sends again. */
const pending_max = 10_000;

/** Deletes streams that no program has used for a day, and pauses those in which too much waits: what happens then can be recovered. */
export const forgetStreams = task({
  name: 'webhooks.forgetStreams',
  retry_seconds: [60],
  every: '*/10 * * * *',
  run: async (context) => {
    const { database, queue, signal } = context;
    const horizon = new Date(readWorldTime(context).getTime() - abandoned_ms);
    await deleteInBatches(signal, (limit) =>
      database.transaction(async (tx) => {
        const deleted = await deleteAbandonedStreams(tx, horizon, limit);
        for (const { org_id, id } of deleted)
          await queue.send(tx, removeHistory, { org_id, subscription_id: id });
        return deleted.length;
      }),
    );
    await database.transaction(async (tx) => {
      // The sending ends what waits in a paused subscription.
      for (const { org_id, id } of await pauseFullStreams(tx, pending_max))
        await queue.send(tx, deliverEvents, { org_id, subscription_id: id });
    });
  },
});

import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { announceView } from './announce-view.ts';
import { deleteEndedOrders, takeOpenOrders } from '../store.ts';

/** In one run, so that it ends before the next. With more open orders each waits for its turn. */
const orders_max = 1_000;
const kept_ms = 30 * 86_400_000;

/**
 * Announces what has no event of its own: a match that was computed or has another tier, a consent that was withdrawn, an erasure, an invitation that was
 * deleted. Deletes orders 30 days after their end.
 */
export const followOrders = task({
  name: 'partners.followOrders',
  retry_seconds: [],
  every: '* * * * *',
  run: async (context) => {
    const { database, now, signal } = context;
    for (const invitation_id of await takeOpenOrders(database, now(), orders_max)) {
      signal.throwIfAborted();
      await announceView(context, invitation_id);
    }
    const before = new Date(now().getTime() - kept_ms);
    await deleteInBatches(signal, (limit) => deleteEndedOrders(database, before, limit));
  },
});

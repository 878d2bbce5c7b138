import { ChainUnavailableError, readChainHead } from '#modules/income/payments';
import { task } from '#platform/queue/task.ts';
import { upsertChainHead } from './store.ts';

/** Looks each minute whether the node of the chain answers, and how old its newest block is. */
export const watchChain = task({
  name: 'books.watchChain',
  // The run of the next minute replaces a retry.
  retry_seconds: [],
  every: '* * * * *',
  merge_by: () => 'all',
  run: async (context) => {
    const head_at = await readChainHead(context).catch((error: unknown) => {
      if (error instanceof ChainUnavailableError) return 'unreachable' as const;
      throw error;
    });
    if (head_at === undefined) return;
    await upsertChainHead(context.database, head_at === 'unreachable' ? null : head_at, context.now());
  },
});

import { task } from '#platform/queue/task.ts';
import { checkBooks } from './check-books.ts';

/** Checks the books every night, and sets the metric of which an alert speaks. */
export const checkBooksNightly = task({
  name: 'earnings.checkBooksNightly',
  retry_seconds: [600, 3_600],
  every: '17 3 * * *',
  run: async (context) => {
    const { faults } = await checkBooks(context);
    for (const fault of faults) context.log.error({ ...fault }, 'the books are wrong');
    context.metrics.setLedgerFaults(faults.length);
  },
});

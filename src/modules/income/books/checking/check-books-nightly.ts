import { task } from '#platform/queue/task.ts';
import { setFaultCount } from '../watching/build-money-gauges.ts';
import { upsertBookFaults } from '../watching/store.ts';
import { checkBooks } from './check-books.ts';

/** Checks the books every night, sets the metric of which an alert speaks, and stores the result for the operator's first page. */
export const checkBooksNightly = task({
  name: 'books.checkBooksNightly',
  retry_seconds: [600, 3_600],
  every: '17 3 * * *',
  run: async (context) => {
    const { faults } = await checkBooks(context);
    for (const fault of faults) context.log.error({ ...fault }, 'the books are wrong');
    setFaultCount(context, faults.length);
    await upsertBookFaults(context.database, faults.length, context.now());
  },
});

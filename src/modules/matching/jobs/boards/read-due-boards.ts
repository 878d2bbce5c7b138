import { Refusal } from '#lib/refusal.ts';
import { task } from '#platform/queue/task.ts';
import { readFollowed } from './read-followed.ts';
import { listDueBoards, type BoardKey } from './store.ts';

/** How many boards are begun in five minutes. The others wait for the next run. */
const due_max = 200;

/** Starts the reading of the boards that are due. */
export const readDueBoards = task({
  name: 'jobs.readDueBoards',
  // The next run replaces a retry.
  retry_seconds: [],
  every: '*/5 * * * *',
  run: async ({ database, queue, now }) => {
    for (const key of await listDueBoards(database, now(), due_max))
      await database.transaction((tx) => queue.send(tx, readDailyBoard, key));
  },
});

/** Reads one board. A run waits up to ten seconds for the server of another organisation. */
export const readDailyBoard = task<BoardKey>({
  name: 'jobs.readDailyBoard',
  retry_seconds: [60],
  parallel: 4,
  claimed_alone: true,
  group_by: ({ org_id }) => org_id,
  merge_by: ({ id }) => id,
  run: async (context, key) => {
    const { database } = context;
    const transaction = database.transaction.bind(database);
    await readFollowed({ ...context, transaction }, key, true).catch((error: unknown) => {
      // It was deleted while it waited.
      if (!(error instanceof Refusal)) throw error;
    });
  },
});

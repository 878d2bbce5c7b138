import { task } from '#platform/queue/task.ts';
import { findCountTime, replaceCells } from './store.ts';
import { isOutdated, years_max } from './rules.ts';

/** Counts the deployed members by what jobs ask of a profile, unless they were counted a moment ago. */
export const countReach = task({
  name: 'matches.countReach',
  retry_seconds: [30, 300],
  group_by: () => 'reach',
  merge_by: () => 'reach',
  run: async ({ database, now }) => {
    if (!isOutdated(await findCountTime(database), now())) return;
    await database.transaction((tx) => replaceCells(tx, { now: now(), years_max }));
  },
});

import type { Platform, Task } from '#platform/platform.ts';
import { taskTable } from '../../src/tables/tasks.ts';
import { computeAllMatches } from '../../src/modules/matching/matches/computing/compute-all-matches.ts';

/** Queues the tasks that run on a schedule, and the computation of all matches. The others have been queued by what they belong to. */
export async function queueTasks({ database, queue }: Platform): Promise<void> {
  const scheduled = taskTable.filter(
    ({ every }) => every !== undefined,
  ) as unknown as readonly Task<object>[];
  await database.transaction(async (tx) => {
    for (const task of [computeAllMatches, ...scheduled]) await queue.send(tx, task, {});
  });
}

/** Lists the tasks that have not run. */
export function listUnrunTasks(turns: ReadonlyMap<string, unknown>): readonly string[] {
  return taskTable.map(({ name }) => name).filter((name) => !turns.has(`task ${name}`));
}

import type { Reader } from '#platform/database/database.ts';
import { isTaskUnderWay } from '#platform/queue/tracked-tasks.ts';
import { clock_task } from '../pass-time.ts';
import type { Year } from '../rules.ts';
import { findSandbox } from '../store.ts';

/** Decides whether a year has failed for good: it was not ended, and no task goes on with it. */
export async function hasYearFailed(db: Reader, { id, status }: Year): Promise<boolean> {
  if (status !== 'running' || (await isTaskUnderWay(db, clock_task, id))) return false;
  // The end of a year is stored before its task ends, so it is there now if the task has succeeded meanwhile.
  const latest = (await findSandbox(db))?.year;
  return latest?.id === id && latest.status === 'running';
}

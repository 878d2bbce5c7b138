import { sql, type Database } from '#platform/database/database.ts';
import type { Task } from '#platform/platform.ts';
import type { TaskState } from '#platform/telemetry/metric-sources.ts';

const remembered_ms = 5_000;

type QueueStateOptions = {
  readonly database: Pick<Database, 'listOutsidePool'>;
  readonly tasks: readonly Pick<Task, 'name'>[];
  /** A monotonic clock in milliseconds. */
  readonly readClock?: () => number;
};

/**
 * Creates a function that counts the queued tasks of each name. Counting reads all of them, so the result is kept for five seconds, however often it is
 * asked for, and the connection is not one of the pool, whose requests may be what keeps the queue waiting. If the queue cannot be counted
 * within two seconds, the result is undefined for five seconds.
 */
export function createQueueReader({
  database,
  tasks,
  readClock = () => performance.now(),
}: QueueStateOptions): () => Promise<readonly TaskState[] | undefined> {
  let latest: Promise<readonly TaskState[] | undefined> | undefined;
  let read_ms = -Infinity;
  return () => {
    if (latest === undefined || readClock() - read_ms >= remembered_ms) {
      read_ms = readClock();
      latest = countTasks(database).then(
        (counted) => tasks.map(({ name }) => counted.get(name) ?? buildEmptyState(name)),
        () => undefined,
      );
    }
    return latest;
  };
}

/** Reads an index of each status, because the table also has what users have watched for a month. */
async function countTasks(
  database: Pick<Database, 'listOutsidePool'>,
): Promise<ReadonlyMap<string, TaskState>> {
  const states = await database.listOutsidePool(sql<TaskState>`
    select name as task,
      count(*) filter (where status = 'queued' and due_at <= now()) as waiting,
      count(*) filter (where status = 'queued' and due_at > now()) as scheduled,
      coalesce(extract(epoch from max(now() - due_at) filter (where status = 'queued' and due_at <= now())), 0)::float8
        as oldest_wait_seconds,
      count(*) filter (where status = 'running') as running,
      count(*) filter (where status = 'failed') as failed
    from (
      select name, status, due_at from tasks where status = 'queued'
      union all select name, status, due_at from tasks where status = 'running'
      union all select name, status, due_at from tasks where status = 'failed') as unfinished
    group by name`);
  return new Map(states.map((state) => [state.task, state]));
}

function buildEmptyState(task: string): TaskState {
  return { task, waiting: 0, scheduled: 0, oldest_wait_seconds: 0, running: 0, failed: 0 };
}

import { randomUUID } from 'node:crypto';
import {
  emptySql,
  sql,
  type Database,
  type Executor,
  type Reader,
  type Transaction,
} from '#platform/database/database.ts';

/** A task as it is queued. */
export type NewTask = {
  readonly name: string;
  readonly data: object;
  /** Undefined: at once. */
  readonly due_at: Date | undefined;
  readonly group_id: string | undefined;
  readonly merge_key: string | undefined;
  readonly event_id: string | undefined;
  /** The user who may watch it. */
  readonly user_id: string | undefined;
  readonly now: Date;
  /** Queues it only if none with the same key is queued for that time or before. */
  readonly unless_sooner: boolean;
};

/** Queues a task in a transaction. @returns its id. */
export function insertTask(tx: Transaction, added: NewTask): string {
  const id = randomUUID();
  const { name, data, due_at = null, group_id = '', merge_key = null, event_id = null, now } = added;
  const condition = added.unless_sooner
    ? sql`where not exists (
        select from tasks where name = ${name} and merge_key = ${merge_key} and status = 'queued' and due_at <= ${due_at})`
    : emptySql;
  void tx.runAhead(sql`
    insert into tasks (id, name, data, status, due_at, group_id, merge_key, event_id, user_id, created_at, updated_at)
    select ${id}::uuid, ${name}, ${JSON.stringify(data)}::jsonb, 'queued', coalesce(${due_at}::timestamptz, clock_timestamp()), ${group_id},
      ${merge_key}, ${event_id}::uuid, ${added.user_id ?? null}::uuid, ${now}::timestamptz, ${now}::timestamptz
    ${condition}`);
  return id;
}

/**
 * The time by which tasks are due: that of the database, so that the clocks of nodes may differ, and as many milliseconds later as a test
 * clock is ahead.
 */
export function buildDueTime(ahead_ms: number) {
  return ahead_ms === 0 ? sql`now()` : sql`now() + make_interval(secs => ${ahead_ms / 1_000}::float8)`;
}

/** Finds which tasks are queued and due. */
export async function listDueNames(
  db: Reader,
  names: readonly string[],
  ahead_ms = 0,
): Promise<readonly string[]> {
  const due = await db.list(sql<{ name: string }>`
    select name from unnest(${names}::text[]) as listed (name)
    where exists (select from tasks where tasks.name = listed.name and status = 'queued' and due_at <= ${buildDueTime(ahead_ms)})`);
  return due.map(({ name }) => name);
}

/** Finds when the next task is due that is queued for later. */
export async function findNextDueTime(db: Reader, ahead_ms: number): Promise<Date | undefined> {
  const { due_at } = await db.one(sql<{ due_at: Date | null }>`
    select min(due_at) as due_at from tasks where status = 'queued' and due_at > ${buildDueTime(ahead_ms)}`);
  return due_at ?? undefined;
}

/** A task that this process has claimed. */
export type RunningTask = {
  readonly id: string;
  readonly claim_id: string;
  readonly data: object;
  readonly attempt: number;
  readonly group_id: string;
  readonly merge_key: string | null;
  readonly event_id: string | null;
  /** The user who watches it. */
  readonly user_id: string | null;
  readonly due_at: Date;
  /** The seconds from the time at which the task could run until it was claimed. */
  readonly wait_seconds: number;
};

export type ClaimOptions = {
  readonly name: string;
  readonly limit: number;
  /** The group that was served last. The one after it is next, and after the last group the first. */
  readonly after_group: string;
  /** Also claims tasks whose time has not come. */
  readonly early: boolean;
  /** By how much the clock of the queue is ahead of that of the database. */
  readonly ahead_ms?: number;
  readonly now: Date;
};

const merged_max = 1_000;

/**
 * Claims queued tasks of one name: the oldest of the group whose turn it is, and if it has fewer than `limit`, those of the groups after it.
 * Tasks with the same key as one of these are claimed as well, beyond the limit, because they need no run of their own.
 *
 * @returns them in the order in which to run them.
 */
export async function claimTasks(
  db: Reader,
  { name, limit, after_group, early, ahead_ms = 0, now }: ClaimOptions,
): Promise<readonly RunningTask[]> {
  const isDue = early ? emptySql : sql`and due_at <= ${buildDueTime(ahead_ms)}`;
  const claim_id = randomUUID();
  const claimed = await db.list(sql<RunningTask>`
    with next as materialized (
      select id, merge_key from (
        select id, merge_key from tasks where name = ${name} and status = 'queued' ${isDue} and group_id > ${after_group}
        order by group_id, due_at limit ${limit} for update skip locked) as later_groups
      union all
      select id, merge_key from (
        select id, merge_key from tasks where name = ${name} and status = 'queued' ${isDue} and group_id <= ${after_group}
        order by group_id, due_at limit ${limit} for update skip locked) as earlier_groups
      limit ${limit}),
    merged as materialized (
      select id from tasks where name = ${name} and status = 'queued' ${isDue}
        and merge_key = any(array(select merge_key from next where merge_key is not null)) and id <> all(array(select id from next))
      limit ${merged_max} for update skip locked)
    update tasks set status = 'running', claim_id = ${claim_id}, heartbeat_at = now(), updated_at = ${now}
    where id = any(array(select id from next union all select id from merged))
    returning id, ${claim_id}::uuid as claim_id, data, attempt, group_id, merge_key, event_id, user_id, due_at,
      greatest(0, extract(epoch from now() - due_at))::float8 as wait_seconds`);
  const isEarlier = ({ group_id }: RunningTask) => Number(group_id <= after_group);
  return claimed.toSorted(
    (one, other) =>
      isEarlier(one) - isEarlier(other) ||
      compareIds(one.group_id, other.group_id) ||
      one.due_at.getTime() - other.due_at.getTime(),
  );
}

/** Compares like the collation "C": the characters of ids have the same order in UTF-8 and UTF-16. */
function compareIds(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The condition that rows are tasks of these claims: another worker has not taken them over. */
function areStillClaimed(tasks: readonly RunningTask[]) {
  const claim_ids = [...new Set(tasks.map(({ claim_id }) => claim_id))];
  return sql`tasks.id = any(${tasks.map(({ id }) => id)}::uuid[]) and claim_id = any(${claim_ids}::uuid[])`;
}

/** Removes tasks that have succeeded. Of those that a user watches, the outcome stays, and the data goes. */
export async function finishTasks(
  db: Executor,
  tasks: readonly RunningTask[],
  result_url: string | null,
  now: Date,
): Promise<void> {
  const watched = tasks.filter(({ user_id }) => user_id !== null);
  const unwatched = tasks.filter(({ user_id }) => user_id === null);
  if (unwatched.length > 0) await db.run(sql`delete from tasks where ${areStillClaimed(unwatched)}`);
  if (watched.length > 0)
    await db.run(sql`
      update tasks set status = 'succeeded', data = '{}', result_url = ${result_url}, error = null, claim_id = null, heartbeat_at = null,
        updated_at = ${now}
      where ${areStillClaimed(watched)}`);
}

/** A task whose attempt has failed, when it is tried again (null: never), and the number of its attempt then. */
export type FailedAttempt = {
  readonly task: RunningTask;
  readonly retry_at: Date | null;
  readonly attempt: number;
};

/** Queues the next attempts of tasks. Those that have none stay in the table as failed. @param error What the attempt failed with. */
export async function recordFailedAttempts(
  db: Executor,
  failed: readonly FailedAttempt[],
  error: string,
  now: Date,
): Promise<void> {
  const tasks = failed.map(({ task }) => task);
  await db.run(sql`
    update tasks set status = case when next.due_at is null then 'failed' else 'queued' end,
      attempt = next.attempt, due_at = coalesce(next.due_at, tasks.due_at), error = ${error},
      claim_id = null, heartbeat_at = null, lost_workers = 0, updated_at = ${now}
    from unnest(${tasks.map(({ id }) => id)}::uuid[], ${failed.map(({ retry_at }) => retry_at)}::timestamptz[],
      ${failed.map(({ attempt }) => attempt)}::integer[]) as next (id, due_at, attempt)
    where tasks.id = next.id and ${areStillClaimed(tasks)}`);
}

/** Returns tasks to the queue as if they had not been claimed. Their run has not begun, or has stopped. */
export async function releaseTasks(db: Executor, tasks: readonly RunningTask[], now: Date): Promise<void> {
  await db.run(sql`
    update tasks set status = 'queued', claim_id = null, heartbeat_at = null, updated_at = ${now} where ${areStillClaimed(tasks)}`);
}

/**
 * Sends a heartbeat for tasks, on a connection outside the pool, because those of the pool may all be in use.
 *
 * @returns those that another worker may have taken over.
 */
export async function sendHeartbeat(
  database: Pick<Database, 'listOutsidePool'>,
  tasks: readonly RunningTask[],
): Promise<readonly RunningTask[]> {
  const alive = await database.listOutsidePool(sql<Pick<RunningTask, 'id' | 'claim_id'>>`
    update tasks set heartbeat_at = now() where ${areStillClaimed(tasks)} returning id, claim_id`);
  const formatClaim = ({ id, claim_id }: Pick<RunningTask, 'id' | 'claim_id'>) => `${id} ${claim_id}`;
  const claims = new Set(alive.map(formatClaim));
  return tasks.filter((task) => !claims.has(formatClaim(task)));
}

/** The seconds after which a task without a heartbeat is given to another worker. */
export const heartbeat_seconds = 10;
/** A task that has lost this many workers has probably killed them. It has failed. */
const lost_workers_max = 20;
const taken_back_max = 1_000;

/** Queues tasks again whose worker was lost. The attempt does not count. */
export async function takeBackLostTasks(db: Executor): Promise<void> {
  await db.run(sql`
    update tasks set status = case when lost_workers < ${lost_workers_max} then 'queued' else 'failed' end, error = null,
      lost_workers = lost_workers + 1, claim_id = null, heartbeat_at = null, updated_at = now()
    where id = any(array(
      select id from tasks where status = 'running' and heartbeat_at < now() - make_interval(secs => ${heartbeat_seconds})
      limit ${taken_back_max} for update skip locked))`);
}

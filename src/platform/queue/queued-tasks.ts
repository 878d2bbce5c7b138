import type { Db } from 'pg-boss';
import { sql, type Database, type Reader, type Transaction } from '#platform/database/database.ts';

/**
 * The content of a queued task: the task's data, the number of the attempt, the id of the record that a user watches, and the id of the
 * event that queued it, if the task uses it.
 */
export type Envelope = {
  readonly data: object;
  readonly attempt: number;
  readonly task_id?: string;
  readonly event_id?: string;
};

/** The row of a queued task in pg-boss's table. */
export type QueuedJob = {
  readonly id: string;
  readonly name: string;
  readonly envelope: Envelope;
  /** Undefined: at once. */
  readonly start_after: Date | undefined;
  readonly group: string | undefined;
  readonly key: string | undefined;
};

/** A queued task that this process has claimed. `retry_count` names the claim: a later claim of another worker has a higher one. */
export type ClaimedTask = {
  readonly id: string;
  readonly data: Envelope;
  readonly retry_count: number;
  readonly key: string | null;
  readonly start_after: Date;
  /** The seconds from the time at which the task could run until it was claimed. */
  readonly wait_seconds: number;
};

/**
 * Writes the same row as pg-boss's `send`, which a test compares, except that the row is kept until the task has run: pg-boss would delete a task
 * that has been due for two weeks, such as one of a service that was stopped. The statement of `send` has no name, so that PostgreSQL parses and plans
 * it again each time, and it unpacks the options of all queues from JSON; this one costs a fifth of its processor time. If pg-boss has no
 * queue of this name, the name is null, which its table refuses.
 */
export function insertQueuedTask(
  tx: Transaction,
  { id, name, envelope, start_after, group, key }: QueuedJob,
): void {
  void tx.runAhead(sql`
    insert into pgboss.job (
      id, name, data, start_after, created_on, keep_until, group_id, singleton_key, expire_seconds, deletion_seconds, retry_limit, retry_delay,
      retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
    select ${id}, queue.name, ${JSON.stringify(envelope)}, due, pgboss.job_now(), 'infinity', ${group ?? null},
      ${key ?? null}, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter,
      heartbeat_seconds
    from coalesce(${start_after ?? null}::timestamptz, pgboss.job_now()) as due left join pgboss.queue on queue.name = ${name}`);
}

/**
 * The indexes of waiting tasks: by group, so that a claim can take the oldest task of each group without reading the others, and by key; and
 * of failed tasks, for the operator. pg-boss has none of them.
 */
const indexes = {
  tessera_turns: `(name, (coalesce(group_id, '') collate "C"), start_after) where state < 'active' and not blocked`,
  tessera_keys: `(name, singleton_key) where state < 'active' and not blocked and singleton_key is not null`,
  tessera_failures: `(completed_on desc, id desc) where state = 'failed'`,
} as const;

// An arbitrary constant, which must be the same on all nodes.
const lock_id = 7_355_609;

/** Creates the indexes that are missing. Nodes that start at the same time wait for each other. */
export async function createIndexes(database: Database): Promise<void> {
  const names = Object.keys(indexes).map((name) => `pgboss.${name}`);
  const listMissing = (db: Reader) =>
    db.list(sql<{ name: string }>`
      select name from unnest(${names}::text[]) as name where to_regclass(name) is null`);
  if ((await listMissing(database)).length === 0) return;
  await database.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${lock_id})`);
    for (const { name } of await listMissing(tx)) {
      const index = name.replace('pgboss.', '');
      // While a node waits for the lock, its session may remember that the index does not exist.
      await tx.client.query(
        `create index if not exists ${index} on pgboss.job ${indexes[index as keyof typeof indexes]}`,
      );
    }
  });
}

/** Finds which of the tasks are queued and may run now. It reads one entry of each group, not all. */
export async function listDueTasks(db: Reader, names: readonly string[]): Promise<readonly string[]> {
  const due = await db.list(sql<{ name: string }>`
    select name from unnest(${names}::text[]) as asked (name) where exists (
      with recursive turns (turn, is_due) as (
        (select coalesce(group_id, '') collate "C", start_after <= pgboss.job_now() from pgboss.job
          where job.name = asked.name and state < 'active' and not blocked
          order by coalesce(group_id, '') collate "C", start_after limit 1)
        union all
        select next.* from turns cross join lateral (
          select coalesce(group_id, '') collate "C", start_after <= pgboss.job_now() from pgboss.job
          where job.name = asked.name and state < 'active' and not blocked and coalesce(group_id, '') collate "C" > turn
          order by coalesce(group_id, '') collate "C", start_after limit 1) as next
        where not is_due)
      select from turns where is_due)`);
  return due.map(({ name }) => name);
}

export type ClaimOptions = {
  readonly name: string;
  readonly limit: number;
  /** The group whose turn was last. The group after it is next, and after the last group the first one. */
  readonly last_group: string | undefined;
  /** Also claims tasks whose time has not come. */
  readonly early: boolean;
};

/** The queued tasks of a claim in the order in which to run them, and the group whose turn was last. */
export type Claim = { readonly queuedTasks: readonly ClaimedTask[]; readonly last_group: string | undefined };

const copies_max = 1_000;

/** Comes after every id in the collation "C", so that the first group is next. */
const after_all = '\u{10ffff}';

/**
 * Claims waiting tasks of one kind: the oldest of each group, of as many groups as the limit allows, and more of each if there are fewer
 * groups. Queued tasks with the same key as one of these are claimed as well, beyond the limit, because they need no run of their own.
 */
export async function claimTasks(
  database: Database,
  { name, limit, last_group = after_all, early }: ClaimOptions,
): Promise<Claim> {
  const rows = await database.list(sql<ClaimedTask & { readonly turn: string }>`
    with recursive turns (turn, is_due, found, lap) as (
      select ${last_group}::text collate "C", false, 0, 0
      union all
      select next.turn, next.is_due, found + next.is_due::integer, next.lap from turns cross join lateral (
        (select coalesce(group_id, '') collate "C" as turn, ${early} or start_after <= pgboss.job_now() as is_due, turns.lap as lap from pgboss.job
          where name = ${name} and state < 'active' and not blocked and coalesce(group_id, '') collate "C" > turns.turn
            and (turns.lap = 0 or coalesce(group_id, '') collate "C" <= ${last_group})
          order by coalesce(group_id, '') collate "C", start_after limit 1)
        union all
        (select coalesce(group_id, '') collate "C", ${early} or start_after <= pgboss.job_now(), 1 from pgboss.job
          where name = ${name} and state < 'active' and not blocked and coalesce(group_id, '') collate "C" <= ${last_group} and turns.lap = 0
          order by coalesce(group_id, '') collate "C", start_after limit 1)
        limit 1) as next
      where found < ${limit}),
    chosen as materialized (
      select oldest.id, oldest.singleton_key from (select turn from turns where is_due) as turns cross join lateral (
        select id, singleton_key from pgboss.job
        where name = ${name} and state < 'active' and not blocked and coalesce(group_id, '') collate "C" = turn
          and (${early} or start_after <= pgboss.job_now())
        order by start_after limit (select ceil(${limit}::float8 / count(*)) from turns where is_due)
        for update skip locked) as oldest
      limit ${limit}),
    copies as materialized (
      select id from pgboss.job
      where name = ${name} and state < 'active' and not blocked and (${early} or start_after <= pgboss.job_now())
        and singleton_key = any(array(select singleton_key from chosen where singleton_key is not null))
        and id <> all(array(select id from chosen))
      limit ${copies_max} for update skip locked)
    update pgboss.job set state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now(),
      retry_count = retry_count + (started_on is not null)::integer
    where name = ${name} and id = any(array(select id from chosen union all select id from copies))
    returning id, data, retry_count, singleton_key as key, start_after, coalesce(group_id, '') as turn,
      greatest(0, extract(epoch from pgboss.job_now() - start_after))::float8 as wait_seconds`);
  return takeTurns(rows, last_group);
}

/** Puts the oldest queued task of each group first, then the second of each, in the order of the groups from the one whose turn is next. */
function takeTurns(rows: readonly (ClaimedTask & { readonly turn: string })[], last_group: string): Claim {
  const byTurn = Map.groupBy(
    rows.toSorted((one, other) => one.start_after.getTime() - other.start_after.getTime()),
    ({ turn }) => turn,
  );
  const compareTurns = (one: string, other: string) =>
    Number(one <= last_group) - Number(other <= last_group) || compareTexts(one, other);
  const turns = [...byTurn.keys()].toSorted(compareTurns);
  const queuedTasks: ClaimedTask[] = [];
  for (let place = 0; queuedTasks.length < rows.length; place++)
    queuedTasks.push(...turns.flatMap((turn) => byTurn.get(turn)?.[place] ?? []));
  return { queuedTasks, last_group: turns.at(-1) };
}

/** Compares like the collation "C". Groups are ids, whose characters have the same order in UTF-8 and UTF-16. */
function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Which of the claims are still ours. */
const ours = sql`state = 'active' and (id::text || ':' || retry_count) = any`;

function formatClaims(queuedTasks: readonly ClaimedTask[]): readonly string[] {
  return queuedTasks.map(({ id, retry_count }) => `${id}:${retry_count}`);
}

/**
 * Removes queued tasks whose run has succeeded, or whose next attempt is queued as another one. pg-boss would keep them for a week, and counts
 * all of them every few seconds. Only those of a schedule stay for a while, because they prevent that two nodes start the same run.
 */
export async function removeFinishedTasks(
  database: Database,
  name: string,
  queuedTasks: readonly ClaimedTask[],
): Promise<void> {
  const ids = queuedTasks.map(({ id }) => id);
  await database.run(sql`
    with gone as (
      delete from pgboss.job
      where name = ${name} and id = any(${ids}::uuid[]) and ${ours}(${formatClaims(queuedTasks)}::text[]) and singleton_on is null)
    update pgboss.job set state = 'completed', completed_on = pgboss.job_now()
    where name = ${name} and id = any(${ids}::uuid[]) and ${ours}(${formatClaims(queuedTasks)}::text[]) and singleton_on is not null`);
}

/** Marks queued tasks whose last attempt has failed. pg-boss deletes them after a week. */
export async function markFailedTasks(
  database: Database,
  name: string,
  queuedTasks: readonly ClaimedTask[],
): Promise<void> {
  await database.run(sql`
    update pgboss.job set state = 'failed', completed_on = pgboss.job_now()
    where name = ${name} and id = any(${queuedTasks.map(({ id }) => id)}::uuid[]) and ${ours}(${formatClaims(queuedTasks)}::text[])`);
}

/** Returns queued tasks to the queue as if they had not been claimed. Their run has not begun, or has stopped. */
export async function releaseTasks(
  database: Database,
  name: string,
  queuedTasks: readonly ClaimedTask[],
): Promise<void> {
  await database.run(sql`
    update pgboss.job set state = 'created', started_on = null, heartbeat_on = null
    where name = ${name} and id = any(${queuedTasks.map(({ id }) => id)}::uuid[]) and ${ours}(${formatClaims(queuedTasks)}::text[])`);
}

/**
 * Sends a heartbeat for claimed tasks on a connection of pg-boss, because those of the service may all be in use.
 *
 * @returns the ids of those that are still claimed by this process.
 */
export async function touchTasks(
  db: Db,
  name: string,
  queuedTasks: readonly ClaimedTask[],
): Promise<ReadonlySet<string>> {
  const { rows } = (await db.executeSql(
    `update pgboss.job set heartbeat_on = pgboss.job_now() where name = $1 and id = any($2::uuid[]) and state = 'active'
       and (id::text || ':' || retry_count) = any($3::text[]) returning id`,
    [name, queuedTasks.map(({ id }) => id), formatClaims(queuedTasks)],
  )) as { readonly rows: readonly { readonly id: string }[] };
  return new Set(rows.map(({ id }) => id));
}

import { Type, type Static } from 'typebox';
import { readMoneyState, type MoneyState } from '#modules/income/books';
import { readIndexState, type IndexState } from '#modules/matching/matches';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import type { TaskState, PoolState } from '#platform/telemetry/metric-sources.ts';
import type { RecentMinute } from '#platform/telemetry/recent-minutes.ts';
import { archiveWire, readArchiveState } from '../archive/read-archive-state.ts';
import { keyWire, toWire as toKeyWire } from '../keys/wire.ts';
import { readDatabaseState, type Readiness } from '#platform/http/health.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { describeBuild, type Build } from '#platform/telemetry/build.ts';

const count = Type.Integer({ minimum: 0 });
const seconds = Type.Number({ minimum: 0 });

const minuteWire = closedObject({
  began_at: field(timestamp, 'When the minute began.', '2026-03-09T07:45:00.000Z'),
  requests: field(count, 'Requests that ended.', 412),
  refused: field(count, 'Requests that were refused (4xx).', 9),
  failed: field(count, 'Requests that failed (5xx).', 0),
  median_ms: field(nullable(seconds), 'Half of the requests took at most this long; null without any.', 3.4),
  p95_ms: field(nullable(seconds), '95 of 100 requests took at most this long; null without any.', 16),
  mails_sent: field(count, 'Emails that the mail server has accepted.', 4),
  mails_failed: field(count, 'Attempts to send an email that failed.', 0),
});

const healthWire = closedObject(
  {
    node: field(
      closedObject({
        version: field(Type.String(), 'The version of the service.', '1.0.0'),
        node_version: field(Type.String(), 'The version of Node.', 'v24.21.0'),
        commit: field(Type.String(), 'The commit that runs, or `unknown`.', 'unknown'),
        roles: field(Type.Array(Type.Enum(['api', 'worker'])), 'What the process does.', ['api', 'worker']),
        uptime_seconds: field(count, 'For how long the process has been running.', 86_400),
        memory_bytes: field(count, 'The memory of the process.', 210_000_000),
      }),
      'The process that replies. Everything except the queue is what this process knows.',
    ),
    database: field(
      closedObject({
        state: field(
          Type.Enum(['up', 'read_only', 'down', 'full', 'unusable']),
          'Whether the database accepts writes. `full`: its disk has no space.',
          'up',
        ),
        connections: field(count, 'Open connections of the process.', 10),
        idle: field(count, 'Those of them that are idle.', 8),
        waiting: field(count, 'Requests that wait for a connection.', 0),
        connections_max: field(count, 'How many connections the process may open.', 10),
      }),
      'The database.',
    ),
    queue: field(
      nullable(
        closedObject({
          waiting: field(count, 'Tasks that may run now.', 3),
          scheduled: field(count, 'Tasks whose time has not come.', 12),
          running: field(count, 'Tasks that are running.', 2),
          failed: field(count, 'Tasks that failed for good within the last seven days.', 0),
          oldest_wait_seconds: field(seconds, 'Since when the oldest waiting task could run.', 0.8),
        }),
      ),
      'The background tasks of all processes; null if the queue could not be read within two seconds.',
    ),
    matching: field(
      nullable(
        closedObject({
          readiness: field(
            Type.Enum(['building', 'behind', 'ready']),
            'Whether the index can be used.',
            'ready',
          ),
          members: field(count, 'Deployed members in the index.', 48_210),
          bytes: field(count, 'The memory of the index.', 4_628_160),
          lag_seconds: field(nullable(seconds), 'How old its contents are; null until it is built.', 0.4),
        }),
      ),
      'The match index of the process; null if it does not match.',
    ),
    mail: field(
      closedObject({
        transport: field(
          Type.Enum(['smtp', 'files']),
          'Where emails go: to a mail server, or into files of the data directory.',
          'smtp',
        ),
      }),
      'How emails are sent.',
    ),
    money: field(
      nullable(
        closedObject({
          books_checked_at: field(
            nullable(timestamp),
            'When the books were last checked; null before the first nightly check.',
            '2026-03-09T03:17:00.000Z',
          ),
          book_faults: field(count, 'How many faults that check found.', 0),
          unresolved_payments: field(
            count,
            'Payments without an outcome or a read for more than five minutes, counted up to 100.',
            0,
          ),
          chain: field(
            nullable(Type.Enum(['up', 'behind', 'unreachable'])),
            'The node of the chain, as a worker saw it: `behind` if its newest block is older than ten minutes. Null without a chain.',
            'up',
          ),
          newest_block_at: field(
            nullable(timestamp),
            'The time of its newest block; null if it does not answer.',
            '2026-03-09T07:44:58.000Z',
          ),
        }),
      ),
      'Payments and books, over all processes; null if the database cannot be read.',
    ),
    archive: field(
      nullable(archiveWire),
      'The continuous archive of the embedded database; null if this process keeps none.',
    ),
    keys: field(Type.Array(keyWire), 'The keys that sign now.'),
    minutes: field(Type.Array(minuteWire), 'The last hour by minute, the oldest first.'),
  },
  { $id: 'Health' },
);

export const readHealth = operation({
  name: 'operator.readHealth',
  title: 'Read the health of this process',
  summary:
    'Describes the process that replies and what it depends on, with its requests and emails of the last hour. Other processes have figures of their own; `/metrics` of each has all.',
  who: ['platform_admin'],
  output: { 200: healthWire },
  run: async (context): Promise<Static<typeof healthWire>> => {
    const { config, keys, metrics, queue } = context;
    const [node, tasks, money] = await Promise.all([
      getHealthReader(context)(),
      queue.readStates(),
      // The page is for times when something is down.
      readMoneyState(context).catch(() => undefined),
    ]);
    const { build, uptime_seconds, memory_bytes, database, pool } = node;
    const index = readIndexState(context);
    return {
      node: {
        version: build.version,
        node_version: build.node,
        commit: build.commit,
        roles: (['api', 'worker'] as const).filter((role) => config.serves[role]),
        uptime_seconds,
        memory_bytes,
      },
      database: {
        state: database,
        connections: pool.total,
        idle: pool.idle,
        waiting: pool.waiting,
        connections_max: pool.max,
      },
      queue: tasks ? sumTasks(tasks) : null,
      matching: index ? toIndexWire(index) : null,
      money: money ? toMoneyWire(money) : null,
      archive: readArchiveState(context),
      mail: { transport: config.smtpUrl === undefined ? 'files' : 'smtp' },
      keys: keys
        .list()
        .filter(({ retired_at }) => retired_at === null)
        .map(toKeyWire),
      minutes: metrics.listRecentMinutes().map(toMinuteWire),
    };
  },
});

function sumTasks(tasks: readonly TaskState[]): NonNullable<Static<typeof healthWire>['queue']> {
  const sum = (name: 'waiting' | 'scheduled' | 'running' | 'failed') =>
    tasks.reduce((total, task) => total + task[name], 0);
  return {
    waiting: sum('waiting'),
    scheduled: sum('scheduled'),
    running: sum('running'),
    failed: sum('failed'),
    oldest_wait_seconds: Math.max(0, ...tasks.map(({ oldest_wait_seconds }) => oldest_wait_seconds)),
  };
}

function toMoneyWire({ books, chain, unresolved }: MoneyState) {
  return {
    books_checked_at: books?.checked_at.toISOString() ?? null,
    book_faults: books?.fault_count ?? 0,
    unresolved_payments: unresolved,
    chain: chain?.state ?? null,
    newest_block_at: chain?.newest_block_at?.toISOString() ?? null,
  };
}

function toIndexWire({ readiness, members, bytes, lag_seconds }: IndexState) {
  return { readiness, members, bytes, lag_seconds: lag_seconds ?? null };
}

function toMinuteWire({ began_at, median_ms, p95_ms, ...counts }: RecentMinute): Static<typeof minuteWire> {
  return {
    ...counts,
    began_at: began_at.toISOString(),
    median_ms: median_ms ?? null,
    p95_ms: p95_ms ?? null,
  };
}

/** What a process says about itself and about what it depends on. */
type NodeHealth = {
  readonly build: Build;
  readonly uptime_seconds: number;
  readonly memory_bytes: number;
  readonly database: Readiness['database'];
  readonly pool: PoolState & { readonly max: number };
};

/** Returns the function that describes the process of a running service. The build does not change, and is read once. */
const getHealthReader = instanceMemory((platform) => {
  let build: Promise<Build> | undefined;
  return async () => {
    build ??= describeBuild(platform.config.commit);
    return describeNode(platform, await build);
  };
});

async function describeNode(platform: Platform, build: Build): Promise<NodeHealth> {
  const database = await readDatabaseState(platform);
  return {
    build,
    uptime_seconds: Math.floor(process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    database,
    pool: { ...platform.database.countConnections(), max: platform.config.databasePoolSize },
  };
}

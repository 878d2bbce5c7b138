import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Refusal } from '#lib/refusal.ts';
import { connectionSettings, isSilence, trackIdleConnections } from '#platform/database/connections.ts';
import { openProbe } from '#platform/database/probe.ts';
import type { Statement } from '#platform/database/sql.ts';

export { emptySql, sql, type Statement } from '#platform/database/sql.ts';

/** Runs statements that only read. */
export type Reader = {
  /** Returns all rows. The statement limits their number. */
  list<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** Returns the first row, or undefined. */
  find<Row>(statement: Statement<Row>): Promise<Row | undefined>;
  /** Returns the only row. Any other number of rows is a defect. */
  one<Row>(statement: Statement<Row>): Promise<Row>;
};

/** Runs statements: each on its own in the database, or all in one transaction. */
export type Executor = Reader & {
  /** Runs a statement. @returns the number of rows that were written. */
  run(statement: Statement): Promise<number>;
};

/** Runs statements in one transaction. Pass it to all functions whose effects must be committed or rolled back with it. */
export type Transaction = Executor & {
  /** The client, for the statements of the queue and for COPY. */
  readonly client: pg.PoolClient;
  /** Runs `effect` after this transaction has committed, and only then. For effects in memory; `effect` must not throw. */
  afterCommit(effect: () => void): void;
};

export type TransactionOptions = {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
};

export type Database = Executor & {
  /**
   * Runs `work` in a transaction and commits it. After a serialisation failure or a deadlock it tries again, up to five times in all, so
   * `work` must have no effect outside the transaction.
   *
   * @throws Refusal `database_unavailable` if the connection is lost. If this happens during the commit, its outcome is unknown.
   * @throws Refusal `overloaded` if a statement, or its wait for a lock, takes too long.
   */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  readonly settings: pg.PoolConfig;
  /**
   * Checks whether the server has space on its disk. Until a statement fails for want of space, it does nothing; then it tries to write, and
   * resolves to true once that succeeds.
   */
  hasStorage(): Promise<boolean>;
  /** Counts the connections, the idle ones among them, and the requests that wait for one. */
  countConnections(): { readonly total: number; readonly idle: number; readonly waiting: number };
  /** Whether the server replies within two seconds. Uses a connection outside the pool. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
};

const attempts_max = 5;

/** Serialisation failure, deadlock, and a plan that became stale by the migration of a newer node. The next attempt can succeed. */
const transientCodes: ReadonlySet<unknown> = new Set(['40001', '40P01', '0A000']);

/** The connection is useless: its prepared statements stay stale, or its server is no longer the primary. */
const uselessCodes: ReadonlySet<unknown> = new Set(['0A000', '25006']);

/** The server ends what takes too long. If it does not reply at all, the connection is closed a little later. */
const time_limits = {
  statement_timeout: 15_000,
  query_timeout: 18_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 60_000,
} as const;

// 64-bit integers are amounts of money and counts, and none exceeds 2^53. Without this parser, pg would return them as strings.
pg.types.setTypeParser(pg.types.builtins.INT8, parseSafeInteger);

/** Opens a pool of connections. It never ends the process: while the server is unavailable, only the requests that need it fail. */
export function openDatabase(settings: pg.PoolConfig, onError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    max: 10,
    idleTimeoutMillis: 30_000,
    ...connectionSettings,
    ...time_limits,
    ...settings,
  });
  // A connection that ends because the pool is closed is not an error.
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  const probe = openProbe(settings);
  const closeIdle = trackIdleConnections(pool);
  let wasFull = false;
  const handleFault = (error: unknown): never => {
    if (isSilence(error)) closeIdle(new Error('closed because another connection got no reply'));
    wasFull ||= isStorageFull(error);
    throw error;
  };
  const hasStorage = async () => {
    if (wasFull) wasFull = await pool.query(storageProbe).then(() => false, isStorageFull);
    return !wasFull;
  };
  return {
    settings,
    hasStorage,
    ...buildExecutor((statement) => pool.query(toQuery(statement)).catch(handleFault)),
    transaction: (work, options) =>
      runWithRetries(() => runTransactionOnce(pool, work, options)).catch(handleFault),
    countConnections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    isReachable: () => probe.isReachable(),
    close: async () => void (await Promise.all([pool.end(), probe.close()])),
  };
}

function buildExecutor(send: (statement: Statement) => Promise<pg.QueryResult>): Executor {
  const query = async (statement: Statement) => {
    try {
      return await send(statement);
    } catch (error) {
      return throwTranslated(error);
    }
  };
  // The type of the rows is what the statement declares.
  const list = async <Row>(statement: Statement<Row>) => (await query(statement)).rows as Row[];
  return {
    list,
    find: async <Row>(statement: Statement<Row>) => (await query(statement)).rows[0] as Row | undefined,
    one: async <Row>(statement: Statement<Row>) => requireOneRow(await list(statement)),
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

function toQuery(statement: Statement): pg.QueryConfig {
  // pg does not change the values, but its types are not readonly.
  return { name: statement.name, text: statement.text, values: statement.values as unknown[] };
}

async function runTransactionOnce<Result>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<Result>,
  { isolation = 'read committed' }: TransactionOptions = {},
): Promise<Result> {
  const client = await pool.connect().catch(throwTranslated);
  const effects: (() => void)[] = [];
  const tx: Transaction = {
    client,
    ...buildExecutor((statement) => client.query(toQuery(statement))),
    afterCommit: (effect) => void effects.push(effect),
  };
  let broken: Error | undefined;
  // A client in use also reports a lost connection by an event. Without a listener, it would end the process.
  const onLost = (error: Error) => {
    broken = error;
  };
  client.on('error', onLost);
  try {
    await client.query(`begin isolation level ${isolation}`);
    const result = await work(tx);
    await commitTransaction(client);
    for (const effect of effects) effect();
    return result;
  } catch (error) {
    // A server that does not reply would not reply to this either.
    if (isSilence(error)) onLost(error as Error);
    else await client.query('rollback').catch(onLost);
    if (uselessCodes.has(readErrorCode(error))) onLost(error as Error);
    return throwTranslated(error);
  } finally {
    client.off('error', onLost);
    client.release(broken);
  }
}

/** Commits. After a failed statement whose error was caught, PostgreSQL replies to COMMIT with ROLLBACK and without an error. */
async function commitTransaction(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT')
    throw new Error('the transaction continued after a failed statement and could not be committed');
}

async function runWithRetries<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === attempts_max || !transientCodes.has(readErrorCode(error))) throw error;
      await pause(attempts * attempts * 5);
    }
  }
}

/** Returns the constraint that a write violated, for stores that convert it to a refusal, or undefined for any other error. */
export function findBrokenConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return typeof code === 'string' && code.startsWith('23') ? constraint : undefined;
}

const unavailableCodes =
  /^(08...|25006|25P0[34]|57P0[1235]|53300|ECONN.*|EHOST.*|ENET.*|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** A statement that ran, or waited for a lock, for too long. */
const timeoutCodes: ReadonlySet<unknown> = new Set(['57014', '55P03']);

/** Takes 400 kB on the disk of the server until the end of its transaction. */
const storageProbe =
  'create temporary table storage_probe on commit drop as select n from generate_series(1, 10000) as n';

const storage_full_retry_seconds = '30';

/** Checks whether the disk of the server is full (SQLSTATE 53100), also from the refusal that reports it. */
function isStorageFull(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  return [error, cause].some((each) => readErrorCode(each) === '53100');
}

/** Checks whether an error means that the server is unavailable, restarting or out of connections. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && unavailableCodes.test(code)) return true;
  return (
    isSilence(error) ||
    (typeof message === 'string' &&
      /connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable/i.test(
        message,
      ))
  );
}

function throwTranslated(error: unknown): never {
  const isFull = isStorageFull(error);
  const code =
    isFull || isUnavailable(error)
      ? 'database_unavailable'
      : timeoutCodes.has(readErrorCode(error))
        ? 'overloaded'
        : undefined;
  if (code === undefined || error instanceof Refusal) throw error;
  throw Object.assign(
    new Refusal(code, { headers: { 'retry-after': isFull ? storage_full_retry_seconds : '2' } }),
    { cause: error },
  );
}

function readErrorCode(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}

function requireOneRow<Row>(rows: readonly Row[]): Row {
  if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return rows[0]!;
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`the integer ${text} is beyond 2^53`);
  return value;
}

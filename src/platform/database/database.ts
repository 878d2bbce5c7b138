import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Refusal } from '#lib/refusal.ts';
import { connectionSettings, isSilence, trackIdleConnections } from '#platform/database/connections.ts';
import { openProbe } from '#platform/database/probe.ts';
import type { Statement } from '#platform/database/sql.ts';

export { sql, emptySql, type Statement } from '#platform/database/sql.ts';

/** Runs statements that read. */
export type Reader = {
  /** All rows. The statement itself bounds how many. */
  list<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** The first row, or undefined. */
  find<Row>(statement: Statement<Row>): Promise<Row | undefined>;
  /** The one row that must be there; anything else is a defect. */
  one<Row>(statement: Statement<Row>): Promise<Row>;
};

/** Runs statements: the database, each on its own, or one transaction. */
export type Executor = Reader & {
  /** @returns how many rows were written. */
  run(statement: Statement): Promise<number>;
};

/** Statements inside one transaction; passed to whatever must commit or fall with it. */
export type Transaction = Executor & {
  /** The client itself, for the queue's own statements and for COPY. */
  readonly client: pg.PoolClient;
  /** Runs `effect` once this transaction has committed, and never if it has not. For effects in memory; it must not throw. */
  afterCommit(effect: () => void): void;
};

export type TransactionOptions = {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
};

export type Database = Executor & {
  /**
   * Runs `work` in a transaction and commits it. Serialisation failures and deadlocks are tried again, five times in all, so `work` must
   * have no effect outside the transaction.
   *
   * @throws Refusal `database_unavailable` when the connection is lost; whether a commit in flight arrived is then unknown. Refusal
   * `overloaded` when a statement, or its wait for a lock, took too long.
   */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  readonly settings: pg.PoolConfig;
  /** How many connections there are, idle, and how many requests wait for one. */
  countConnections(): { readonly total: number; readonly idle: number; readonly waiting: number };
  /** Whether the server replies within two seconds. Uses a connection outside the pool. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
};

const attempts_max = 5;

/** Serialisation failure, deadlock, and a plan that a migration of a newer node made stale: the next try meets none of them. */
const transientCodes: ReadonlySet<unknown> = new Set(['40001', '40P01', '0A000']);

/** A connection whose prepared statements stay stale as long as it lives, and one to a server that is no longer the primary. */
const uselessCodes: ReadonlySet<unknown> = new Set(['0A000', '25006']);

// Integers of 64 bits are money and counts here; none of them passes 2^53, and a silent string would be a trap.
pg.types.setTypeParser(pg.types.builtins.INT8, parseSafeInteger);

/** What the server ends itself, and a little later what its silence ends here. */
const time_limits = {
  statement_timeout: 15_000,
  query_timeout: 18_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 60_000,
} as const;

/** Opens a pool. It never ends the process: a lost server is an error of the requests that meet it, until it is back. */
export function openDatabase(settings: pg.PoolConfig, onError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    max: 10,
    idleTimeoutMillis: 30_000,
    ...connectionSettings,
    ...time_limits,
    ...settings,
  });
  // A connection that ends because we end it is no news.
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  const probe = openProbe(settings);
  const closeIdle = trackIdleConnections(pool);
  const noticeSilence = (error: unknown): never => {
    if (isSilence(error)) closeIdle(new Error('closed because another connection got no reply'));
    throw error;
  };
  return {
    settings,
    ...buildExecutor((statement) => pool.query(toQuery(statement)).catch(noticeSilence)),
    transaction: (work, options) =>
      runWithRetries(() => runTransactionOnce(pool, work, options)).catch(noticeSilence),
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
  const list = async <Row>(statement: Statement<Row>) => (await query(statement)).rows as Row[];
  return {
    list,
    find: async <Row>(statement: Statement<Row>) => (await query(statement)).rows[0] as Row | undefined,
    one: async <Row>(statement: Statement<Row>) => requireOneRow(await list(statement)),
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

function toQuery(statement: Statement): pg.QueryConfig {
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
  // A checked-out client reports a lost connection by an event as well; unheard, it would end the process.
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

/** After a failed statement whose error was caught, PostgreSQL answers a commit with ROLLBACK, and with no error. */
async function commitTransaction(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT')
    throw new Error('the transaction went on after a failed statement, and could not be committed');
}

async function runWithRetries<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (tried === attempts_max || !transientCodes.has(readErrorCode(error))) throw error;
      await pause(tried * tried * 5);
    }
  }
}

/** The constraint that a write broke, for stores that turn it into a refusal; undefined when the error is another one. */
export function findBrokenConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return typeof code === 'string' && code.startsWith('23') ? constraint : undefined;
}

const unavailableCodes =
  /^(08...|25006|25P0[34]|57P0[1235]|53300|ECONN.*|EHOST.*|ENET.*|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** A statement that ran, or waited for a lock, for too long. */
const timeoutCodes: ReadonlySet<unknown> = new Set(['57014', '55P03']);

/** Whether an error means that the server is away, restarting or out of connections. */
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
  const code = isUnavailable(error)
    ? 'database_unavailable'
    : timeoutCodes.has(readErrorCode(error))
      ? 'overloaded'
      : undefined;
  if (code === undefined || error instanceof Refusal) throw error;
  throw Object.assign(new Refusal(code, { headers: { 'retry-after': '2' } }), { cause: error });
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

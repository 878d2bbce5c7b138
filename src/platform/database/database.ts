import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Refusal } from '#lib/refusal.ts';
import { followAvailability } from '#platform/database/availability.ts';
import { connectionSettings, isSilence, trackIdleConnections } from '#platform/database/connections.ts';
import { openProbe, type ServerState } from '#platform/database/probe.ts';
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

/**
 * Runs statements in one transaction. Pass it to all functions whose effects must be committed or rolled back with it. Statements are sent at
 * once and run in the order in which they were sent, so `Promise.all` sends several that do not need each other's results in one round trip.
 */
export type Transaction = Executor & {
  /**
   * Sends a statement whose result nobody needs. The commit waits for it, and fails with its error. The promise may be ignored: it resolves
   * when the reply has come, and never rejects.
   */
  runAhead(statement: Statement): Promise<void>;
  /** The client, for statements without a name. */
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
  /**
   * Lists rows on a connection outside the pool, one statement at a time, within two seconds each. For what an operator needs to know while
   * requests hold every connection of the pool.
   */
  listOutsidePool<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** Asks the server whether it accepts writes; `down` if it does not reply within two seconds. Uses a connection outside the pool. */
  readState(): Promise<ServerState>;
  /** Returns the state of the server as it was found last. After a statement has failed, the server is asked until it accepts writes again. */
  getLastState(): ServerState;
  close(): Promise<void>;
};

const attempts_max = 5;

/** Serialisation failure, deadlock, and a plan that became stale by the migration of a newer node. The next attempt can succeed. */
const transientCodes: ReadonlySet<unknown> = new Set(['40001', '40P01', '0A000']);

/** What PostgreSQL replies to the statements after one that failed. */
const aborted_code = '25P02';

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

/**
 * Opens a pool of connections. It never ends the process: while the server is unavailable, only the requests that need it fail. `onError`
 * receives the loss of an idle connection, and `onState` each change of the state of the server.
 */
export function openDatabase(
  settings: pg.PoolConfig,
  onError: (error: Error) => void,
  onState: (state: ServerState) => void = () => undefined,
): Database {
  const pool = new pg.Pool({
    max: 10,
    idleTimeoutMillis: 30_000,
    // A statement is sent without waiting for the replies to earlier ones of its transaction.
    pipeline: true,
    ...connectionSettings,
    ...time_limits,
    ...settings,
  });
  // A connection that ends because the pool is closed is not an error.
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  const probe = openProbe(settings);
  const availability = followAvailability(() => probe.readState(), onState);
  const closeIdle = trackIdleConnections(pool);
  let wasFull = false;
  const handleFault = (error: unknown): never => {
    if (isSilence(error)) closeIdle(new Error('closed because another connection got no reply'));
    if (isUnavailable(error instanceof Refusal ? error.cause : error)) availability.reportFailure();
    wasFull ||= isStorageFull(error);
    throw error;
  };
  let checkingStorage: Promise<boolean> | undefined;
  const isStillFull = () =>
    probe
      .query(storageProbe)
      .then(() => false, isStorageFull)
      .finally(() => (checkingStorage = undefined));
  const hasStorage = async () => {
    if (wasFull) wasFull = await (checkingStorage ??= isStillFull());
    return !wasFull;
  };
  return {
    settings,
    hasStorage,
    ...buildExecutor((statement) => pool.query(toQuery(statement)).catch(handleFault)),
    transaction: (work, options) =>
      runWithRetries(() => runTransactionOnce(pool, work, options)).catch(handleFault),
    countConnections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    // The type of the rows is what the statement declares.
    listOutsidePool: async <Row>(statement: Statement<Row>) =>
      (await probe.query(toQuery(statement))).rows as Row[],
    readState: () => availability.readState(),
    getLastState: () => availability.getLastState(),
    close: async () => {
      availability.close();
      await Promise.all([pool.end(), probe.close()]);
    },
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

const commit: pg.QueryConfig = { text: 'commit' };

async function runTransactionOnce<Result>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<Result>,
  { isolation = 'read committed' }: TransactionOptions = {},
): Promise<Result> {
  const client = await pool.connect().catch(throwTranslated);
  const effects: (() => void)[] = [];
  const sentAhead: Promise<void>[] = [];
  let failure: Error | undefined;
  const send = (query: string | pg.QueryConfig) => {
    collectWrites(client);
    return client.query(query);
  };
  const beginning = send(`begin isolation level ${isolation}`);
  const sendNext = followBegin(beginning, send);
  let [isOver, isRefusedCommit] = [false, false];
  const sendStatement = async (statement: Statement) => {
    // It would be committed by itself.
    if (isOver) throw new Error('a statement came after the end of its transaction');
    return sendNext(toQuery(statement));
  };
  const tx: Transaction = {
    client,
    ...buildExecutor(sendStatement),
    runAhead: (statement) => {
      const sent = sendStatement(statement).then(
        () => undefined,
        // pg rejects with errors only.
        (error: unknown) => void (failure ??= error as Error),
      );
      sentAhead.push(sent);
      return sent;
    },
    afterCommit: (effect) => void effects.push(effect),
  };
  let broken: Error | undefined;
  // A client in use also reports a lost connection by an event. Without a listener, it would end the process.
  const onLost = (error: Error) => {
    broken = error;
  };
  client.on('error', onLost);
  try {
    const result = await work(tx);
    isOver = true;
    const { command } = await sendNext(commit);
    // After a failed statement, PostgreSQL replies to COMMIT with ROLLBACK and without an error.
    isRefusedCommit = command !== 'COMMIT';
    if (isRefusedCommit)
      throw new Error('the transaction continued after a failed statement and could not be committed');
    for (const effect of effects) effect();
    return result;
  } catch (thrown) {
    isOver = true;
    await Promise.all(sentAhead);
    // The error of a statement that was sent ahead explains those of the statements after it, and of the commit.
    const isExplained = readErrorCode(thrown) === aborted_code || isRefusedCommit || isSilence(failure);
    const error = (isExplained && failure) || thrown;
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

/**
 * Sends the statements of a transaction in their order. Those that read are sent with `begin`, without waiting for its reply. One that writes
 * waits for it, because it would be committed by itself if `begin` had failed, for example because an operator cancelled it.
 */
function followBegin(
  beginning: Promise<unknown>,
  send: (query: pg.QueryConfig) => Promise<pg.QueryResult>,
): (query: pg.QueryConfig) => Promise<pg.QueryResult> {
  let isWriteSent = false;
  // Statements report the failure of `begin`. A transaction without any has nothing to lose.
  beginning.catch(() => undefined);
  return async (query) => {
    isWriteSent ||= !/^\s*select\b/i.test(query.text);
    if (isWriteSent) {
      await beginning;
      return send(query);
    }
    const [, result] = await Promise.all([beginning, send(query)]);
    return result;
  };
}

/** Sends everything that is written to the connection until the current turn of promises ends with one system call. */
function collectWrites({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
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

/**
 * Returns the constraint that a write violated, for stores that convert it to a refusal, or undefined for any other error. On a distributed
 * table the constraint of a shard has the name of the constraint and the number of the shard, which is left out.
 */
export function findBrokenConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  if (typeof code !== 'string' || !code.startsWith('23')) return undefined;
  return constraint?.replace(/_\d{6,}$/, '');
}

const unavailableCodes =
  /^(08...|25006|25P0[34]|57P0[1235]|53300|ECONN.*|EHOST.*|ENET.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** A statement that ran, or waited for a lock, for too long. */
const timeoutCodes: ReadonlySet<unknown> = new Set(['57014', '55P03']);

/** Takes 400 kB on the disk of the server until the end of its transaction. */
const storageProbe =
  'create temporary table storage_probe on commit drop as select n from generate_series(1, 10000) as n';

const storage_full_retry_seconds = '30';

/** Checks whether the disk of the server is full (SQLSTATE 53100), even from the refusal that reports it. */
function isStorageFull(error: unknown): boolean {
  return readErrorCode(error) === '53100';
}

/** Checks whether an error means that the server is unavailable, restarting or out of connections. */
export function isUnavailable(error: unknown): boolean {
  const { code, message, syscall } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && unavailableCodes.test(code)) return true;
  // The socket of the embedded server. Any other file that is missing says nothing about the database.
  if (code === 'ENOENT') return syscall === 'connect';
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

/** Reads the code of PostgreSQL or of the network, also from the refusal that was made of it. */
function readErrorCode(error: unknown): unknown {
  const original = error instanceof Refusal ? error.cause : error;
  return (original as { code?: unknown } | null | undefined)?.code;
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

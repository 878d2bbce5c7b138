import pg from 'pg';
import { Refusal } from '#lib/refusal.ts';
import { followAvailability } from '#platform/database/availability.ts';
import {
  createPool,
  isSilence,
  patientSettings,
  trackIdleConnections,
} from '#platform/database/connections.ts';
import { openProbe, type ServerState } from '#platform/database/probe.ts';
import { isStorageFull, isUnavailable } from '#platform/database/errors.ts';
import { buildExecutor, toQuery, type Executor, type Reader } from '#platform/database/executor.ts';
import { readSnapshot } from '#platform/database/snapshot.ts';
import { sharePool, type DatabaseUse } from '#platform/database/share-pool.ts';
import type { Statement } from '#platform/database/sql.ts';
import { runTransaction, type Transaction, type TransactionOptions } from '#platform/database/transaction.ts';

export type { Change, ChangePlace } from '#platform/database/change-log.ts';
export { findBrokenConstraint, isUnavailable } from '#platform/database/errors.ts';
export type { Executor, Reader } from '#platform/database/executor.ts';
export { buildPrefixCondition } from '#platform/database/prefix-condition.ts';
export { emptySql, sql, type Statement } from '#platform/database/sql.ts';
export type { Transaction, TransactionOptions } from '#platform/database/transaction.ts';

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
  /**
   * Reads as the database was at one moment, page by page, for a reply that is streamed. It holds a connection of the pool until the
   * iteration ends, so its caller limits how many there are.
   *
   * @throws Refusal `database_unavailable` or `overloaded`, like a transaction.
   */
  readSnapshot<Item>(read: (db: Reader) => AsyncIterable<Item>): AsyncIterable<Item>;
  /** Runs work of one request, whose connections are shared fairly with those of other callers ({@link sharePool}). */
  runInUse<Result>(use: DatabaseUse, work: () => Result): Result;
  /** Runs work of a background task. All of it together leaves most of the connections to requests ({@link sharePool}). */
  runInBackground<Result>(work: () => Result): Result;
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
  /** Gives further statements the time limits of requests, if the database was opened without. */
  limitTime(): void;
  close(): Promise<void>;
};

/** The limits of requests. The server ends what takes too long. If it does not reply at all, the connection is closed a little later. */
const time_limits = {
  statement_timeout: 15_000,
  query_timeout: 18_000,
  lock_timeout: 3_000,
} as const;

const connections_default = 10;

// 64-bit integers are amounts of money and counts, and none exceeds 2^53. Without this parser, pg would return them as strings.
pg.types.setTypeParser(pg.types.builtins.INT8, parseSafeInteger);

/**
 * Opens a pool of connections. It never ends the process: while the server is unavailable, only the requests that need it fail. `onError`
 * receives the loss of an idle connection, and `onState` each change of the state of the server.
 *
 * @param isPatient Whether statements may take as long as they need, until `limitTime`.
 */
export function openDatabase(
  settings: pg.PoolConfig,
  onError: (error: Error) => void,
  onState: (state: ServerState) => void = () => undefined,
  isPatient = false,
): Database {
  const shares = sharePool(settings.max ?? connections_default, settings.connectionTimeoutMillis);
  const limited = openPool({ ...time_limits, ...settings }, onError);
  // Its connections close by themselves when nothing uses them any longer.
  const patient = openPool({ ...settings, ...patientSettings, idleTimeoutMillis: 1_000 }, onError);
  let open = isPatient ? patient : limited;
  const probe = openProbe(settings);
  const availability = followAvailability(() => probe.readState(), onState);
  let wasFull = false;
  const handleFault = (error: unknown): never => {
    if (isSilence(error)) open.closeIdle(new Error('closed because another connection got no reply'));
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
    ...buildExecutor((statement) =>
      shares.withPlace(() => open.pool.query(toQuery(statement)).catch(handleFault)),
    ),
    transaction: (work, options) =>
      shares.withPlace(() => runTransaction(open.pool, work, options).catch(handleFault)),
    readSnapshot: async function* readInPlace(read) {
      const leave = await shares.takePlaceApart();
      try {
        yield* readSnapshot(open.pool, read, handleFault);
      } finally {
        leave();
      }
    },
    runInUse: (use, work) => shares.runInUse(use, work),
    runInBackground: (work) => shares.runInBackground(work),
    countConnections: () => ({
      total: open.pool.totalCount,
      idle: open.pool.idleCount,
      waiting: open.pool.waitingCount + shares.countWaiting(),
    }),
    // The type of the rows is what the statement declares.
    listOutsidePool: async <Row>(statement: Statement<Row>) =>
      (await probe.query(toQuery(statement))).rows as Row[],
    readState: () => availability.readState(),
    getLastState: () => availability.getLastState(),
    limitTime: () => void (open = limited),
    close: async () => {
      availability.close();
      await Promise.all([limited.pool.end(), patient.pool.end(), probe.close()]);
    },
  };
}

/** Opens a pool, which has no connection before the first statement, and the function that closes its idle ones. */
function openPool(settings: pg.PoolConfig, onError: (error: Error) => void) {
  const pool = createPool({
    max: connections_default,
    idleTimeoutMillis: 30_000,
    // A statement is sent without waiting for the replies to earlier ones of its transaction.
    pipeline: true,
    idle_in_transaction_session_timeout: 60_000,
    ...settings,
  });
  // A connection that ends because the pool is closed is not an error.
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  return { pool, closeIdle: trackIdleConnections(pool) };
}

/** Takes 400 kB on the disk of the server until the end of its transaction. */
const storageProbe =
  'create temporary table storage_probe on commit drop as select n from generate_series(1, 10000) as n';

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`the integer ${text} is beyond 2^53`);
  return value;
}

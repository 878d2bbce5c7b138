import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { isSilence } from '#platform/database/connections.ts';
import { readErrorCode, throwTranslated } from '#platform/database/errors.ts';
import { buildExecutor, toQuery, type Executor } from '#platform/database/executor.ts';
import type { Statement } from '#platform/database/sql.ts';

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

const attempts_max = 5;

/** Serialisation failure, deadlock, and a plan that became stale by the migration of a newer node. The next attempt can succeed. */
const transientCodes: ReadonlySet<unknown> = new Set(['40001', '40P01', '0A000']);

/** What PostgreSQL replies to the statements after one that failed. */
const aborted_code = '25P02';

/** The connection is useless: its prepared statements stay stale or are gone, or its server is no longer the primary. */
const uselessCodes: ReadonlySet<unknown> = new Set(['0A000', '25006', '26000', '42P05']);

/**
 * Runs `work` in a transaction of a connection of the pool, and commits it. After a serialisation failure, a deadlock or a stale plan it tries
 * again, up to five times in all.
 */
export async function runTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await runTransactionOnce(pool, work, options);
    } catch (error) {
      if (attempts === attempts_max || !transientCodes.has(readErrorCode(error))) throw error;
      await pause(attempts * attempts * 5);
    }
  }
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
  let firstFault: Error | undefined;
  let failure: Error | undefined;
  let broken: Error | undefined;
  // A client in use also reports a lost connection by an event.
  const onLost = (error: Error) => {
    broken = error;
  };
  client.on('error', onLost);
  let [isOver, isRefusedCommit] = [false, false];
  const sendStatement = async (statement: Statement) => {
    // It would be committed by itself.
    if (isOver) throw new Error('a statement came after the end of its transaction');
    return client.query(toQuery(statement)).catch((error: unknown) => {
      // pg rejects with errors only, in the order of the statements.
      firstFault ??= error as Error;
      throw error;
    });
  };
  const tx: Transaction = {
    client,
    ...buildExecutor(sendStatement),
    runAhead: (statement) => {
      const sent = sendStatement(statement).then(
        () => undefined,
        (error: unknown) => void (failure ??= error as Error),
      );
      sentAhead.push(sent);
      return sent;
    },
    afterCommit: (effect) => void effects.push(effect),
  };
  try {
    // No statement is sent before it has succeeded, because the statement would be committed by itself if it had not.
    await client.query(`begin isolation level ${isolation}`);
    const result = await work(tx);
    isOver = true;
    const { command } = await client.query(commit);
    // After a failed statement, PostgreSQL replies to COMMIT with ROLLBACK and without an error.
    isRefusedCommit = command !== 'COMMIT';
    if (isRefusedCommit)
      throw new Error('the transaction continued after a failed statement and could not be committed');
    for (const effect of effects) effect();
    return result;
  } catch (thrown) {
    isOver = true;
    await Promise.all(sentAhead);
    // The first error explains those of the statements after it, which may be noticed before it, and one of a statement that was sent ahead that of the commit.
    const isExplained = isRefusedCommit || isSilence(failure);
    const error =
      (readErrorCode(thrown) === aborted_code && firstFault) || (isExplained && failure) || thrown;
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

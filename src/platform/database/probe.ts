import type pg from 'pg';
import { createPool, isReadOnly } from '#platform/database/connections.ts';

const probe_ms_max = 2_000;

/** What a server says about itself. A standby, and a primary that is being demoted, are `read_only`. */
export type ServerState = 'up' | 'read_only' | 'down';

/** Describes a state for the log. */
export function describeServerState(state: ServerState): string {
  return {
    up: 'the database accepts writes again',
    read_only: 'the database is read-only, perhaps a standby: requests that write get 503, and tasks wait',
    down: 'the database does not reply: requests get 503, and tasks wait',
  }[state];
}

/** Reads the state of the database and of what it stores, on two connections of its own. */
export type Probe = {
  readState(): Promise<ServerState>;
  /** Runs a statement that takes two seconds at most. */
  query(statement: string | pg.QueryConfig): Promise<pg.QueryResult>;
  close(): Promise<void>;
};

/**
 * Opens a probe. Requests that wait for locks hold every connection of the pool, and say nothing about the server: a probe through the pool
 * would report it as down. Calls at the same time share one statement. The second connection is for other statements, so that a slow one of
 * these does not make the database look down.
 */
export function openProbe(settings: pg.PoolConfig): Probe {
  const pool = createPool({
    ...settings,
    max: 2,
    connectionTimeoutMillis: probe_ms_max,
    query_timeout: probe_ms_max,
    statement_timeout: probe_ms_max,
  });
  // The next probe meets the same loss and reports it.
  pool.on('error', () => undefined);
  let asking: Promise<ServerState> | undefined;
  const readState = () =>
    (asking ??= askServer(pool)
      .catch(() => 'down' as const)
      .finally(() => {
        asking = undefined;
      }));
  let last: Promise<unknown> = Promise.resolve();
  const query = (statement: string | pg.QueryConfig) => {
    const result = last.then(() => pool.query(statement));
    last = result.catch(() => undefined);
    return result;
  };
  return { readState, query, close: () => pool.end() };
}

async function askServer(pool: pg.Pool): Promise<ServerState> {
  const client = await pool.connect();
  let state: ServerState = 'down';
  try {
    state = (await isReadOnly(client)) ? 'read_only' : 'up';
    return state;
  } finally {
    // The next connection may lead to the new primary.
    client.release(state !== 'up');
  }
}

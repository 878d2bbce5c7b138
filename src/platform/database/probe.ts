import type pg from 'pg';
import { createPool } from '#platform/database/connections.ts';
import { isOwnSession } from '#platform/database/session.ts';

const probe_ms_max = 2_000;

/**
 * What a server says about itself. A standby, and a primary that is being demoted, are `read_only`. `unusable`: it replies and accepts writes, but tables
 * are missing or forbidden, or a pooler shares sessions between clients.
 */
export type ServerState = 'up' | 'read_only' | 'down' | 'unusable';

/** Describes a state for the log. */
export function describeServerState(state: ServerState): string {
  return {
    up: 'the database accepts writes again',
    read_only: 'the database is read-only, perhaps a standby: requests that write get 503, and tasks wait',
    down: 'the database does not reply: requests get 503, and tasks wait',
    unusable:
      'the database lacks tables, forbids them, or is behind a connection pooler that shares sessions: "cli doctor" says more',
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
    state = await readClientState(client);
    return state;
  } finally {
    // The next connection may lead to the new primary.
    client.release(state !== 'up');
  }
}

async function readClientState(client: pg.PoolClient): Promise<ServerState> {
  const isOwn = await isOwnSession(client);
  const { rows } = await client.query<{ is_read_only: boolean; has_tables: boolean }>(facts);
  const { is_read_only, has_tables } = rows[0]!;
  if (is_read_only) return 'read_only';
  return isOwn && has_tables ? 'up' : 'unusable';
}

/** Prepared by name, as the statements of requests are. The tables are those of the owner of the migrations, because others may be the operator's own. */
const facts: pg.QueryConfig = {
  name: 'probe_facts',
  text: `
    select current_setting('transaction_read_only')::boolean as is_read_only, (
      select count(*) > 1 and bool_and(has_table_privilege(tables.oid, 'select')) from pg_class as tables
      where tables.relkind in ('r', 'p') and tables.relnamespace = known.relnamespace and tables.relowner = known.relowner
    ) is true as has_tables
    from (values (to_regclass('migrations'))) as found (oid) left join pg_class as known on known.oid = found.oid`,
};

import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** The limits of a session, in milliseconds; 0 is none. The server ends what takes longer. */
export type SessionLimits = {
  readonly statement_timeout?: number;
  readonly lock_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
};

/**
 * What our statements and the parsers of their results take for granted. A server, a database, a role or a URL can set each of it to something
 * else. How PostgreSQL plans, what it logs and when a commit is durable is for the operator to choose. Names are those of `pg_settings`; one
 * that a version does not know is left out.
 */
const sessionSettings = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  search_path: 'public',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  bytea_output: 'hex',
  extra_float_digits: '1',
  xmlbinary: 'base64',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  row_security: 'on',
  check_function_bodies: 'on',
  idle_session_timeout: '0',
  transaction_timeout: '0',
} as const;

const no_limits: Required<SessionLimits> = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};

/** How long a session may take to reply whose it is. */
const reply_ms = 3_000;

/** What a client left in its session, by which it recognises it. */
const marks = new WeakMap<object, string>();

/**
 * Sets a new session up: settings, limits, and a mark by which the client recognises the session. By statements, because a pooler refuses
 * settings in the first message of a connection. It may take `within_ms`.
 */
export async function setUpSession(
  client: pg.ClientBase,
  limits: SessionLimits,
  within_ms: number,
): Promise<void> {
  const mark = randomUUID();
  marks.set(client, mark);
  const wanted = { ...sessionSettings, ...no_limits, ...limits };
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: `
      select pg_catalog.set_config('tessera.session', $3, false), (
        select pg_catalog.count(pg_catalog.set_config(known.name, wanted.value, false))
        from unnest($1::text[], $2::text[]) as wanted (name, value) join pg_catalog.pg_settings known on known.name = wanted.name)`,
    values: [Object.keys(wanted), Object.values(wanted).map(String), mark],
    query_timeout: within_ms,
  };
  // A limit that the session begins with counts for the setting up, too.
  await client.query('set statement_timeout = 0');
  await client.query(query);
}

/**
 * Whether the session of a client is the one that was set up for it. A pooler that shares sessions moves clients between them, and the settings of one
 * become those of another.
 */
export async function isOwnSession(client: pg.ClientBase): Promise<boolean> {
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: `select current_setting('tessera.session', true) is not distinct from $1 as is_own`,
    values: [marks.get(client)],
    query_timeout: reply_ms,
  };
  const { rows } = await client.query<{ is_own: boolean }>(query);
  return rows[0]?.is_own === true;
}

import pg from 'pg';
import { connectionSettings } from '#platform/database/connections.ts';

const probe_ms_max = 2_000;

/** Asks the database whether it replies, on a connection of its own. */
export type Probe = { isReachable(): Promise<boolean>; close(): Promise<void> };

/**
 * Opens a probe. Requests that wait for locks hold every connection of the pool, and say nothing about the server: a probe through the pool
 * would report it as down. Calls at the same time share one statement.
 */
export function openProbe(settings: pg.PoolConfig): Probe {
  const pool = new pg.Pool({
    ...connectionSettings,
    ...settings,
    max: 1,
    connectionTimeoutMillis: probe_ms_max,
    query_timeout: probe_ms_max,
  });
  // The next probe meets the same loss and reports it.
  pool.on('error', () => undefined);
  let asking: Promise<boolean> | undefined;
  const ask = () =>
    pool
      .query('select 1')
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asking = undefined;
      });
  return { isReachable: () => (asking ??= ask()), close: () => pool.end() };
}

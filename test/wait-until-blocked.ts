import { expect, inject } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { listWorkers } from './cluster/distribute-database.ts';
import type { TestApp } from './harness.ts';

/** Waits until a statement of the service, or as many as are named, waits for a lock. */
export async function waitUntilBlocked(app: TestApp, statements = 1): Promise<void> {
  const countBlocked = () =>
    app.sql.count(sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  // A statement that waits on a node waits for the network on the coordinator.
  const countBlockedOnNodes = () =>
    app.sql.count(sql<{ count: number }>`
      select count(distinct waiting_gpid) from citus_lock_waits`);
  const isCluster = listWorkers(inject('server')).length > 0;
  await expect
    .poll(isCluster ? countBlockedOnNodes : countBlocked, { interval: 5 })
    .toBeGreaterThanOrEqual(statements);
}

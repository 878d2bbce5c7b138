import { expect } from 'vitest';
import { sql } from '#platform/database/database.ts';
import type { TestApp } from './harness.ts';

/** Waits until a statement of the service, or as many as are named, waits for a lock. */
export async function waitUntilBlocked(app: TestApp, statements = 1): Promise<void> {
  const countBlocked = () =>
    app.sql.count(sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  await expect.poll(countBlocked, { interval: 5 }).toBeGreaterThanOrEqual(statements);
}

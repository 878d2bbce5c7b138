import { expect, inject, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { listWorkers } from './cluster/distribute-database.ts';
import { startApp } from './harness.ts';

/** One server commits what a transaction writes at once. */
const isDistributed = listWorkers(inject('server')).length > 0;

test.runIf(isDistributed)(
  'what a transaction writes on the first node and on one other node is committed on both or on neither',
  async () => {
    const app = await startApp();
    // A row for each node on which a transaction was prepared, until Citus has looked for those that were interrupted.
    const countPrepared = async () =>
      (await app.sql.one(sql<{ count: number }>`select count(*)::int as count from pg_dist_transaction`))
        .count;
    const before = await countPrepared();
    await app.registerMember();
    expect(await countPrepared()).toBeGreaterThan(before);
  },
);

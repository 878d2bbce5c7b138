import pg from 'pg';
import { addDifferences, listDescendants, readProcessorTimes } from './processor-time.ts';

/** What some work has cost, for each of its `count` parts. */
export type Cost = {
  readonly what: string;
  readonly node_ms: number;
  readonly database_ms: number;
  readonly statements: number;
  readonly wal_bytes: number;
};

export type Meter = (what: string, count: number, work: () => Promise<unknown>) => Promise<Cost>;

/** Creates a meter of this process, its database server, the statements that it sends, and what the server writes. */
export function createMeter(client: pg.Client): Meter {
  let statements = 0;
  const submit = Reflect.get(pg.Client.prototype, 'query') as (...sent: unknown[]) => unknown;
  Reflect.set(pg.Client.prototype, 'query', function count(this: pg.Client, ...sent: unknown[]) {
    if (this !== client) statements += 1;
    return Reflect.apply(submit, this, sent);
  });
  const readPosition = async () => {
    const { rows } = await client.query<{ position: string }>(
      `select pg_current_wal_lsn() - '0/0'::pg_lsn as position`,
    );
    return Number(rows[0]!.position);
  };
  return async (what, count, work) => {
    const pids = await listDescendants(process.pid);
    const wal = await readPosition();
    const times = await readProcessorTimes(pids);
    statements = 0;
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    const counted = statements;
    const timesAfter = await readProcessorTimes(pids);
    // Not the processes of autovacuum, which end meanwhile.
    const lasting = new Map([...times].filter(([pid]) => timesAfter.has(pid)));
    return {
      what,
      node_ms: (user + system) / 1_000 / count,
      database_ms: addDifferences(lasting, timesAfter) / 1_000 / count,
      statements: counted / count,
      wal_bytes: ((await readPosition()) - wal) / count,
    };
  };
}

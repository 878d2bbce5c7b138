import pg from 'pg';
import { distributeDatabase } from '#platform/distribution/distribute.ts';
import { distribution } from '../../src/app/distribution.ts';
import type { TestPostgres } from '../global-setup.ts';
import { workersVariable } from './left-out.ts';

/** The servers of the cluster besides the coordinator; none if the tests run on one server. */
export function listWorkers(server: TestPostgres): readonly TestPostgres[] {
  return (process.env[workersVariable] ?? '')
    .split(',')
    .filter((address) => address !== '')
    .map((address) => {
      const [host = '', port] = address.split(':');
      return { ...server, host, port: Number(port) };
    });
}

/** Adds the workers to a migrated database on the coordinator, and distributes it with the command of the operator. Nobody can connect to it then. */
export async function distributeTemplate(server: TestPostgres, database: string): Promise<void> {
  const workers = listWorkers(server);
  for (const worker of workers) {
    await runStatements(worker, [`create database ${database}`]);
    await runStatements({ ...worker, database }, ['create extension citus']);
  }
  await runStatements({ ...server, database }, [
    'create extension citus',
    `select citus_set_coordinator_host('${server.host}', ${server.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ]);
  for await (const line of distributeDatabase({ ...server, database }, distribution, true)) void line;
  for (const each of [server, ...workers])
    await runStatements(each, [
      `alter database ${database} allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}'`,
    ]);
}

async function runStatements(settings: pg.ClientConfig, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

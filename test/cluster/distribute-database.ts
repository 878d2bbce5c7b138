import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { placements } from '../../src/tables/placements.ts';
import type { TestPostgres } from '../global-setup.ts';

/** The workers of the cluster, as `host:port,host:port`. */
export const workersVariable = 'TESSERA_TEST_CITUS_WORKERS';

/**
 * Distributes a migrated database over Citus as `placements` in `src/tables/placements.ts` says: creates it on the workers, removes what Citus cannot have on
 * distributed tables, and lets the triggers write to the shards beside theirs. `server` is the coordinator.
 */
export async function distributeDatabase(server: TestPostgres, database: string): Promise<void> {
  const workers = (process.env[workersVariable] ?? '').split(',').map((address) => {
    const [host = '', port] = address.split(':');
    return { host, port: Number(port) };
  });
  for (const worker of workers) {
    await runStatements({ ...server, ...worker }, [`create database ${database}`]);
    await runStatements({ ...server, ...worker, database }, ['create extension citus']);
  }
  await runStatements({ ...server, database }, [
    'create extension citus',
    `select citus_set_coordinator_host('${server.host}', ${server.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ]);
  await placeTables({ ...server, database });
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

type Key = {
  readonly table: string;
  readonly name: string;
  readonly to: string;
  readonly definition: string;
};

async function placeTables(settings: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ table: string }>(
      `select relname as table from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const { rows: keys } = await client.query<Key>(
      `select conrelid::regclass::text as table, conname as name, confrelid::regclass::text as to, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
    );
    const places: Readonly<Record<string, string>> = placements;
    const placed = tables.map(({ table }) => ({ table, place: places[table] ?? 'single' }));
    const isDistributed = (table: string) => !['copied', 'single'].includes(places[table] ?? 'single');
    // Foreign keys are created again where Citus can have them: between rows of the same thing, and to tables that are on every node.
    for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
    for (const { table, place } of placed)
      if (place === 'copied') await client.query(`select create_reference_table('${table}')`);
    const anchors = new Map<string, string>();
    for (const { table, place } of placed.filter((each) => isDistributed(each.table))) {
      const kind = nameKey(table, place);
      const anchor = anchors.get(kind) ?? 'none';
      await client.query(
        `select create_distributed_table('${table}', '${place}', colocate_with => '${anchor}')`,
      );
      anchors.set(kind, anchors.get(kind) ?? table);
    }
    for (const { table, name, to, definition } of keys)
      if (mayReferTo(places, table, to, definition))
        await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    await client.query(await readFile(path.join(import.meta.dirname, 'distributed-triggers.sql'), 'utf8'));
  } finally {
    await client.end();
  }
}

/**
 * Names the key of a table, so that rows of the same key are on one node. Members and jobs are found by `id`, and everything of theirs by
 * `member_id` or `job_id`. What the ledger holds belongs to a member or an organisation.
 */
function nameKey(table: string, place: string): string {
  if (place === 'holder_id' || place === 'org_id') return 'member_id';
  return place === 'id' ? `${table.slice(0, -1)}_id` : place;
}

function mayReferTo(
  places: Readonly<Record<string, string>>,
  table: string,
  to: string,
  definition: string,
): boolean {
  const [from, target] = [places[table] ?? 'single', places[to] ?? 'single'];
  if (from === 'single') return target === 'single';
  if (from === 'copied' || target === 'single') return from === target;
  // A transaction that has written members writes their organisations' jobs next, or removes both: Citus refuses it if jobs refer to them.
  if (target === 'copied') return to !== 'organisations';
  // Of the same thing, by its key.
  const columns = /\(([^)]*)\).*\(([^)]*)\)/.exec(definition)!;
  const position = columns[1]!.split(', ').indexOf(from);
  return position >= 0 && columns[2]!.split(', ')[position] === target;
}

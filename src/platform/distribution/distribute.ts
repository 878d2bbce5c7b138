import pg from 'pg';
import { OperatorError } from '#platform/command-line.ts';
import { openClient } from '#platform/database/connections.ts';
import { lockMigrations, listMissingMigrations } from '#platform/database/migrate.ts';
import { commitTogether, together_trigger } from './commit-together.ts';
import { describePlace, findEngineFault, findNewestMigration, no_citus, readEngine } from './engine.ts';
import { findPlace, mayRefer, type Places } from './place.ts';
import {
  countRows,
  listForeignKeys,
  listPlacedTables,
  listRemovedKeys,
  listRemovedTriggers,
  listTriggers,
  type PlacedTable,
} from './tables.ts';
import { splitTrigger } from './split-trigger.ts';

/** What the service says about its tables, for a distributed database. */
export type Distribution = {
  readonly places: Places;
  /** Names the key of a table that is distributed by a column: rows of the same key are on one node. */
  readonly nameKey: (table: string, column: string) => string;
  /** Tables that are on every node to which no distributed table may refer. */
  readonly unreferred: readonly string[];
  /** Replaces functions of the migrations by those that run on the nodes. It can run again and again. */
  readonly functions: string;
};

/** One line of what the command prints. */
export type DistributionLine = Readonly<Record<string, string | number | boolean>>;

/** A table that has to be moved from the first node. */
type Move = { readonly table: string; readonly place: string; readonly rows: number };

/**
 * Turns a migrated database on a coordinator of Citus into a distributed one, as `places` says. Each step looks at what is already so, and is committed by
 * itself, so that a command that was interrupted goes on when it is run again. It is run again after each migration.
 *
 * @param isConfirmed Without it, only the lines that say what would be done are returned.
 * @throws OperatorError if the database cannot be distributed; nothing was changed then.
 */
export async function* distributeDatabase(
  connection: pg.ClientConfig,
  { places, nameKey, unreferred, functions }: Distribution,
  isConfirmed: boolean,
): AsyncIterable<DistributionLine> {
  const client = await openClient(connection);
  try {
    await requireEngine(client);
    await lockMigrations(client);
    const tables = await listPlacedTables(client);
    requirePlaces(tables, places);
    const moves = await planMoves(client, tables, places);
    for (const { table, place, rows } of moves) yield { table, place: describePlace(place), rows };
    yield { tables: moves.length, estimated_seconds: estimateSeconds(moves) };
    if (!isConfirmed) {
      yield { next: 'stop the service, make a backup, and run the command again with --yes' };
      return;
    }
    await requireNobody(client, moves);
    await prepareSession(client);
    await takeGuards(client, new Set(moves.map(({ table }) => table)));
    yield* moveTables(client, moves, nameKey);
    await removeOldRows(client);
    await restoreKeys(client, places, unreferred);
    await client.query(functions);
    await restoreTriggers(client);
    await commitTogether(client);
    await endDistribution(client);
    yield { distributed: true };
  } finally {
    await client.end();
  }
}

/** @throws OperatorError unless the database is on a coordinator with workers of its own version. */
async function requireEngine(client: pg.Client): Promise<void> {
  const engine = await readEngine(client);
  if (!engine) throw new OperatorError(no_citus);
  const fault = findEngineFault(engine);
  if (fault !== undefined) throw new OperatorError(fault);
  if (engine.workers.length === 0)
    throw new OperatorError('Citus has no workers: add them with "select citus_add_node(host, port)"');
  if (!engine.is_listed)
    throw new OperatorError(
      'the workers do not know the coordinator: run "select citus_set_coordinator_host(host, port)"',
    );
  const missing = await listMissingMigrations(client);
  if (missing.length > 0)
    throw new OperatorError(`the database lacks ${missing.length} of the migrations: run "migrate" first`);
}

/** @throws OperatorError if a table is at another place than this version knows, which moving it would not repair. */
function requirePlaces(tables: readonly PlacedTable[], places: Places): void {
  const wrong = tables.find(({ table, place }) => place !== 'single' && place !== findPlace(places, table));
  if (wrong)
    throw new OperatorError(
      `the table ${wrong.table} is ${describePlace(wrong.place)}, but this version wants it ${describePlace(findPlace(places, wrong.table))}`,
    );
}

/** Copied tables come first, because the others refer to them. */
async function planMoves(
  client: pg.Client,
  tables: readonly PlacedTable[],
  places: Places,
): Promise<readonly Move[]> {
  const moves: Move[] = [];
  for (const { table, place: present } of tables) {
    const place = findPlace(places, table);
    if (place !== present) moves.push({ table, place, rows: await countRows(client, table) });
  }
  return moves.toSorted((one, other) => Number(other.place === 'copied') - Number(one.place === 'copied'));
}

/** With room for a slower network: with 32 shards on a coordinator and two workers of one machine, 67 empty tables took 0.13 s each and 1,200,000 rows 4.6 s (docs/scale.md). */
const table_seconds = 0.2;
const rows_a_second = 100_000;

function estimateSeconds(moves: readonly Move[]): number {
  const rows = moves.reduce((sum, move) => sum + move.rows, 0);
  return Math.ceil(moves.length * table_seconds + rows / rows_a_second);
}

/** A row that is written while its table is being moved waits, but a transaction that has read another table before would fail. */
async function requireNobody(client: pg.Client, moves: readonly Move[]): Promise<void> {
  if (moves.every(({ rows }) => rows === 0)) return;
  const { rows } = await client.query<{ count: number }>(`
    select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
      and pid <> pg_backend_pid() and application_name not like 'citus%'`);
  const count = rows[0]!.count;
  if (count > 0)
    throw new OperatorError(
      `${count} other ${count === 1 ? 'session uses' : 'sessions use'} the database: stop the service before its rows are moved`,
    );
}

/**
 * What a distributed database is set to, for the service as well: distributed tables have triggers, which write to the shard beside theirs, and `set local`
 * reaches the nodes.
 */
export function listDatabaseSettings(database: string): readonly string[] {
  const name = pg.escapeIdentifier(database);
  return [
    `alter database ${name} set citus.enable_unsafe_triggers = on`,
    `alter database ${name} set citus.propagate_set_commands = local`,
  ];
}

/** The schema is not `public`, whose tables belong to the service. */
async function prepareSession(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  for (const statement of listDatabaseSettings(rows[0]!.name)) await client.query(statement);
  await client.query('set citus.enable_unsafe_triggers = on');
  await client.query(`
    create schema if not exists distribution;
    grant usage on schema distribution to public;
    create table if not exists distribution.foreign_keys (
      table_name text not null, name text not null, target text not null, definition text not null, primary key (table_name, name));
    create table if not exists distribution.triggers (table_name text not null, name text not null, definition text not null, primary key (table_name, name));
    create table if not exists distribution.progress (migration text not null);
    grant select on distribution.foreign_keys, distribution.progress to public;
    delete from distribution.progress;`);
}

/**
 * Takes away the foreign keys and the triggers of tables that are about to be moved, and writes down all of them first. Citus copies rows by inserting them, which
 * would fire the triggers.
 */
async function takeGuards(client: pg.Client, moving: ReadonlySet<string>): Promise<void> {
  await client.query('begin');
  for (const { table, name, target, definition } of await listForeignKeys(client)) {
    if (!moving.has(table) && !moving.has(target)) continue;
    await client.query(
      'insert into distribution.foreign_keys (table_name, name, target, definition) values ($1, $2, $3, $4) on conflict do nothing',
      [table, name, target, definition],
    );
    await client.query(
      `alter table ${client.escapeIdentifier(table)} drop constraint ${client.escapeIdentifier(name)}`,
    );
  }
  for (const table of moving)
    await client.query(`drop trigger if exists ${together_trigger} on ${client.escapeIdentifier(table)}`);
  for (const { table, name, definition } of await listTriggers(client)) {
    if (!moving.has(table)) continue;
    await client.query(
      'insert into distribution.triggers (table_name, name, definition) values ($1, $2, $3) on conflict do nothing',
      [table, name, definition],
    );
    await client.query(`drop trigger ${client.escapeIdentifier(name)} on ${client.escapeIdentifier(table)}`);
  }
  await client.query('commit');
}

async function* moveTables(
  client: pg.Client,
  moves: readonly Move[],
  nameKey: Distribution['nameKey'],
): AsyncIterable<DistributionLine> {
  const anchors = new Map<string, string>();
  for (const { table, place } of await listPlacedTables(client))
    if (place !== 'single' && place !== 'copied') anchors.set(nameKey(table, place), table);
  for (const { table, place } of moves) {
    const started = performance.now();
    if (place === 'copied') await client.query('select create_reference_table($1)', [table]);
    else {
      const key = nameKey(table, place);
      await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
        table,
        place,
        anchors.get(key) ?? 'none',
      ]);
      anchors.set(key, table);
    }
    yield { moved: table, seconds: Math.round((performance.now() - started) / 100) / 10 };
  }
}

/** Removes the rows that Citus leaves on the first node after it has copied them, where no statement sees them. */
async function removeOldRows(client: pg.Client): Promise<void> {
  for (const { table, place, own_bytes } of await listPlacedTables(client))
    if (place !== 'single' && own_bytes > 0)
      await client.query('select truncate_local_data_after_distributing_table($1)', [table]);
}

/** Adds the foreign keys again that Citus can keep. `database check` looks at the others. */
async function restoreKeys(client: pg.Client, places: Places, unreferred: readonly string[]): Promise<void> {
  const present = new Set((await listForeignKeys(client)).map(({ table, name }) => `${table} ${name}`));
  for (const key of await listRemovedKeys(client)) {
    if (!mayRefer(places, unreferred, key) || present.has(`${key.table} ${key.name}`)) continue;
    await client.query(
      `alter table ${client.escapeIdentifier(key.table)} add constraint ${client.escapeIdentifier(key.name)} ${key.definition}`,
    );
  }
  // What the database guarantees again needs no check.
  for (const { table, name } of await listForeignKeys(client))
    await client.query('delete from distribution.foreign_keys where table_name = $1 and name = $2', [
      table,
      name,
    ]);
}

/** Creates the triggers again, which call the functions for shards now. */
async function restoreTriggers(client: pg.Client): Promise<void> {
  const present = new Set((await listTriggers(client)).map(({ table, name }) => `${table} ${name}`));
  for (const removed of await listRemovedTriggers(client))
    for (const { table, name, definition } of splitTrigger(removed))
      if (!present.has(`${table} ${name}`)) await client.query(definition);
  await client.query('delete from distribution.triggers');
}

async function endDistribution(client: pg.Client): Promise<void> {
  const newest = await findNewestMigration(client);
  await client.query('insert into distribution.progress (migration) values ($1)', [newest]);
}

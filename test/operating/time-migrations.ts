import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { fillBaseline } from './fill-baseline.ts';

/*
 * Migrates a database of the baseline with many members, and says of each migration how long it takes, which tables it locks against readers or writers, and how much log it
 * writes: `node test/operating/time-migrations.ts --members 1000000 --folder /var/tmp`. The migrations run as at a start: in one transaction, in which a lock is held until
 * the end. The database needs 10 GB and a quarter of an hour for a million members, and is removed afterwards.
 */
const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '1000000' },
    folder: { type: 'string', default: '/var/tmp' },
  },
});

const migrations = path.join(import.meta.dirname, '../../migrations');
/** What refuses writers: everything from this mode on. */
const modes = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

async function measureMigrations(members: number, folder: string): Promise<void> {
  await using cleaning = new AsyncDisposableStack();
  const place = mkdtempSync(path.join(folder, 'tessera-migrations-'));
  cleaning.defer(() => rmSync(place, { recursive: true, force: true }));
  const server = await startEmbeddedPostgres({ dataDir: place, settings: { max_wal_size: '4GB' } });
  cleaning.defer(() => server.stop());
  const client = new pg.Client(server.connection);
  await client.connect();
  cleaning.defer(() => client.end());
  const [baseline = '', ...later] = readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const readFreeBytes = () => statfsSync(place).bavail * statfsSync(place).bsize;
  const before = readFreeBytes();
  await client.query(readMigration(baseline));
  const filled = performance.now();
  await applySettings(client, 'off');
  await fillBaseline(client, members);
  await applySettings(client, 'on');
  await client.query('checkpoint');
  process.stdout.write(
    `${members} members, filled in ${formatSeconds(filled)}, ${((before - readFreeBytes()) / 1e9).toFixed(1)} GB with the log\n`,
  );
  await client.query('begin');
  const held = new Set<string>();
  const began = performance.now();
  for (const name of later) {
    const [start, log] = [performance.now(), await readPosition(client)];
    await client.query(readMigration(name));
    const written = Number((await readPosition(client)) - log) / 1e6;
    const locks = (await listLocks(client)).filter((lock) => !held.has(lock));
    for (const lock of locks) held.add(lock);
    process.stdout.write(
      `${name}  ${formatSeconds(start)}  ${written.toFixed(0)} MB  ${locks.join(', ') || 'no table that had rows'}\n`,
    );
  }
  await client.query('commit');
  process.stdout.write(`all  ${formatSeconds(began)}\n`);
}

/** Filling needs no safety, and what it writes is right. The migrations run with everything on, as the service does. */
async function applySettings(client: pg.Client, value: 'on' | 'off'): Promise<void> {
  for (const name of ['fsync', 'full_page_writes', 'autovacuum'])
    await client.query(`alter system set ${name} = ${value}`);
  await client.query('select pg_reload_conf()');
  await client.query(`set session_replication_role = ${value === 'on' ? 'origin' : 'replica'}`);
}

function readMigration(name: string): string {
  return readFileSync(path.join(migrations, name), 'utf8');
}

function formatSeconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(2)} s`;
}

async function readPosition(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ at: string }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::text as at`,
  );
  return BigInt(rows[0]!.at);
}

/** The tables that had rows before, and which this transaction locks against writers or everyone. */
async function listLocks(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ lock: string }>(
    `select distinct relation::regclass || ' (' || case mode when 'AccessExclusiveLock' then 'all' else 'writers' end || ')' as lock
     from pg_locks join pg_class on pg_class.oid = relation
     where pid = pg_backend_pid() and relkind = 'r' and mode = any($1) and reltuples > 0 order by 1`,
    [modes],
  );
  return rows.map(({ lock }) => lock);
}

await measureMigrations(Number(values.members), values.folder);

import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createBackup, restoreBackup, type Installation } from './backups.ts';
import { systemClock } from '#platform/clock.ts';
import { catchOperatorError } from '#test/catch-operator-error.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database/database.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { readManifest, writeManifest } from './backup-manifest.ts';
import { DataDirInUseError, type EmbeddedPostgres } from '@tessera/embedded-postgres';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { openKeys } from '#platform/security/keys.ts';
import { createSecrets, loadMasterKey } from '#platform/security/secrets.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { makeScratchDirectory, query } from '@tessera/embedded-postgres/testing';
import { runCli } from '../../tables/cli.ts';
import { restoreCounts } from '../../app/operator.ts';
import { borrowDatabaseServer } from '../../app/service.ts';

const isRoot = process.getuid!() === 0;
const writers_count = 3;
const accounts_count = 50;

/** The log is so small that without the backup's replication slot the server would recycle segments that the copy needs. */
const settings = { max_wal_size: '32MB', min_wal_size: '32MB' };

let scratch: Awaited<ReturnType<typeof makeScratchDirectory>>;
let dataDir: string;
let backup: string;
let restored: string;
let server: EmbeddedPostgres;
let kids: string[];

const silent = { write: () => undefined };
const resolveScratch = (name: string) => join(scratch.path, name);

beforeAll(async () => {
  scratch = await makeScratchDirectory();
  [dataDir, backup, restored] = [
    resolveScratch('data'),
    resolveScratch('backup'),
    resolveScratch('restored'),
  ];
  server = await startEmbeddedPostgres({ dataDir, settings });
  await migrateDatabase(server.connection);
  kids = await readKeyIds(server.connection, dataDir);
  await query(
    server.connection,
    `CREATE EXTENSION amcheck;
     CREATE TABLE written (writer int, number int, filling text, PRIMARY KEY (writer, number));
     CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
     INSERT INTO accounts SELECT id, 100 FROM generate_series(1, ${accounts_count}) AS id`,
  );
});

afterAll(async () => {
  await server.stop();
  await scratch.remove();
});

function createInstallation(place: string, environment: Readonly<Record<string, string>> = {}): Installation {
  const config = readConfig({ TESSERA_DATA_DIR: place, ...environment });
  return {
    config,
    borrowDatabase: () => borrowDatabaseServer(config, openLog({ level: 'silent' })),
    counts: restoreCounts,
  };
}

/** Reads the ids of the signing keys, opened with the data directory's master key as at a start. */
async function readKeyIds(connection: EmbeddedPostgres['connection'], place: string): Promise<string[]> {
  const database = openDatabase(connection, () => undefined);
  const secrets = createSecrets(await loadMasterKey(undefined, place));
  try {
    const keys = await openKeys(database, secrets, systemClock);
    keys.close();
    return keys.list().map(({ kid }) => kid);
  } finally {
    await database.close();
  }
}

/**
 * Writes without pause until `stop`: rows in order, transfers between accounts, and tables that are created and dropped, with new log
 * segments.
 */
function startWriting(): { readonly acknowledged: number[]; stop(): Promise<void> } {
  const acknowledged = Array.from({ length: writers_count }, () => 0);
  const stopping = new AbortController();
  const repeat = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
    const client = new pg.Client(server.connection);
    await client.connect();
    while (!stopping.signal.aborted) await work(client);
    await client.end();
  };
  const write = (writer: number) =>
    repeat(async (client) => {
      const number = acknowledged[writer]! + 1;
      await client.query('BEGIN');
      await client.query(`INSERT INTO written VALUES ($1, $2, repeat('x', 2000))`, [writer, number]);
      await client.query('UPDATE accounts SET balance = balance - 1 WHERE id = $1', [writer + 1]);
      await client.query('UPDATE accounts SET balance = balance + 1 WHERE id = $1', [
        accounts_count - writer,
      ]);
      await client.query('COMMIT');
      acknowledged[writer] = number;
    });
  const churn = repeat(async (client) => {
    await client.query('CREATE TABLE passing AS SELECT generate_series(1, 5000) AS number');
    await client.query('DROP TABLE passing; CHECKPOINT; SELECT pg_switch_wal()');
  });
  const all = Promise.all([churn, ...acknowledged.map((_, writer) => write(writer))]);
  return {
    acknowledged,
    stop: async () => {
      stopping.abort();
      await all;
    },
  };
}

async function waitForRows({ acknowledged }: ReturnType<typeof startWriting>, rows: number): Promise<void> {
  while (Math.min(...acknowledged) < rows) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Reads every row and every index entry, and thereby verifies the checksum of every page. */
async function findFaults(connection: EmbeddedPostgres['connection']): Promise<unknown[]> {
  await query(
    connection,
    `SELECT bt_index_check(index => indexrelid, heapallindexed => true)
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
     WHERE amname = 'btree' AND relpersistence = 'p' AND indisvalid`,
  );
  return query(
    connection,
    `SELECT relname, found.* FROM pg_class, verify_heapam(pg_class.oid) AS found
     WHERE relkind IN ('r', 't') AND relpersistence = 'p'`,
  );
}

test('a backup during continuous writes is consistent and contains everything that was acknowledged before it', async () => {
  const writing = startWriting();
  await waitForRows(writing, 20);
  const before = [...writing.acknowledged];
  const result = await createBackup(createInstallation(dataDir), { dir: backup }, silent);
  const after = [...writing.acknowledged];
  await writing.stop();
  expect(result).toMatchObject({
    backup,
    postgres_version: '18.4',
    last_migration: expect.stringMatching(/\.sql$/),
  });
  expect(Math.min(...after.map((count, writer) => count - before[writer]!))).toBeGreaterThan(0);

  const report = await restoreBackup(createInstallation(restored), { dir: backup }, silent);
  expect(report).toMatchObject({ restored, members: 0, users: 0, jobs: 0, signing_keys: 'open' });

  const second = await startEmbeddedPostgres({ dataDir: restored });
  try {
    const rows = await query<{ count: number; last: number }>(
      second.connection,
      'SELECT count(*)::int, max(number) AS last FROM written GROUP BY writer ORDER BY writer',
    );
    expect(rows).toHaveLength(writers_count);
    for (const [writer, { count, last }] of rows.entries()) {
      expect(count).toBe(last);
      expect(last).toBeGreaterThanOrEqual(before[writer]!);
      expect(last).toBeLessThanOrEqual(after[writer]! + 1);
    }
    const sum = await query(second.connection, 'SELECT sum(balance)::int FROM accounts');
    expect(sum).toEqual([{ sum: accounts_count * 100 }]);
    expect(await findFaults(second.connection)).toEqual([]);
    expect(await migrateDatabase(second.connection)).toEqual([]);
    expect(await readKeyIds(second.connection, restored)).toEqual(kids);
  } finally {
    await second.stop();
  }
});

test('the server keeps the log for a backup, and only until the backup ends', async () => {
  const manifest = await readManifest(backup);
  expect(manifest.files.filter(({ path }) => /pg_wal\/[0-9A-F]{24}\.gz$/.test(path)).length).toBeGreaterThan(
    1,
  );
  expect(await query(server.connection, 'SELECT slot_name FROM pg_replication_slots')).toEqual([]);
});

test('only the owner can open the backup and the restored directory, and neither contains files of the running server', async () => {
  const names = await readdir(backup, { recursive: true });
  const modes = await Promise.all(names.map(async (name) => (await stat(join(backup, name))).mode & 0o077));
  expect(modes.filter((mode) => mode !== 0)).toEqual([]);
  expect((await stat(backup)).mode & 0o777).toBe(0o700);
  expect((await stat(join(restored, 'master.key'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(restored, 'postgres'))).mode & 0o777).toBe(0o700);
  expect(
    names.filter((name) => /postmaster|postgres\.(lock|owner|socket)|pgsql_tmp|pg_replslot\//.test(name)),
  ).toEqual([]);
  expect((await readdir(restored)).sort()).toEqual(['master.key', 'postgres', 'postgres.lock']);
});

test('refuses to write a backup into a directory that is not empty or into the database itself', async () => {
  expect(
    await catchOperatorError(createBackup(createInstallation(dataDir), { dir: backup }, silent)),
  ).toContain('is not empty');
  const inside = join(dataDir, 'postgres', 'base', 'backup');
  expect(
    await catchOperatorError(createBackup(createInstallation(dataDir), { dir: inside }, silent)),
  ).toContain('is inside the database');
  await expect(stat(inside)).rejects.toThrow('ENOENT');
});

test('without a database, nothing is backed up and no database is created', async () => {
  const backingUp = createBackup(
    createInstallation(resolveScratch('absent')),
    { dir: resolveScratch('unused') },
    silent,
  );
  expect(await catchOperatorError(backingUp)).toBe(
    `nothing was backed up: ${resolveScratch('absent')} contains no database`,
  );
  await expect(stat(resolveScratch('absent'))).rejects.toThrow('ENOENT');
  await expect(stat(resolveScratch('unused'))).rejects.toThrow('ENOENT');
});

test('a backup that loses its server leaves no directory behind', async () => {
  const broken: Installation = {
    ...createInstallation(dataDir),
    borrowDatabase: async () => {
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_backup_start%' AND pid <> pg_backend_pid()`;
      const timer = setInterval(() => void query(server.connection, cut).catch(() => undefined), 20);
      return { superuser: server.connection, stop: async () => clearInterval(timer) };
    },
  };
  const dir = resolveScratch('cut-off');
  await expect(createBackup(broken, { dir }, silent)).rejects.toThrow(/terminat|not queryable/);
  await expect(stat(dir)).rejects.toThrow('ENOENT');
});

test('a restore overwrites neither the database of a running or stopped service nor another master key', async () => {
  await expect(restoreBackup(createInstallation(dataDir), { dir: backup }, silent)).rejects.toThrow(
    DataDirInUseError,
  );
  const existing = await catchOperatorError(
    restoreBackup(createInstallation(restored), { dir: backup }, silent),
  );
  expect(existing).toContain('already has a database');
  await mkdir(resolveScratch('keyed'));
  await writeFile(join(resolveScratch('keyed'), 'master.key'), 'another');
  const keyed = await catchOperatorError(
    restoreBackup(createInstallation(resolveScratch('keyed')), { dir: backup }, silent),
  );
  expect(keyed).toContain('already has another master.key');
  expect(await readFile(join(resolveScratch('keyed'), 'master.key'), 'utf8')).toBe('another');
});

test('refuses an incomplete or altered backup, and leaves no database behind', async () => {
  const restoreAndCatch = () =>
    catchOperatorError(restoreBackup(createInstallation(resolveScratch('fresh')), { dir: backup }, silent));
  const manifest = join(backup, 'manifest.json');
  const content = await readFile(manifest, 'utf8');
  await rename(manifest, `${manifest}.new`);
  expect(await restoreAndCatch()).toContain('contains no complete backup');
  await writeFile(manifest, content.replace('"created_at": "2', '"created_at": "3'));
  expect(await restoreAndCatch()).toContain('manifest.json has changed since the backup');
  await writeFile(manifest, content.slice(0, -100));
  expect(await restoreAndCatch()).toContain('manifest.json is not JSON');
  await rename(`${manifest}.new`, manifest);

  const victim = join(backup, 'postgres', 'PG_VERSION.gz');
  await rename(victim, resolveScratch('PG_VERSION'));
  const packed = await readFile(resolveScratch('PG_VERSION'));
  expect(await restoreAndCatch()).toContain('postgres/PG_VERSION.gz is missing');
  await writeFile(victim, '18');
  expect(await restoreAndCatch()).toContain('postgres/PG_VERSION.gz has another size');
  for (const at of [3, 12, packed.length - 1]) {
    const flipped = Buffer.from(packed);
    flipped[at]! ^= 1;
    await writeFile(victim, flipped);
    expect(await restoreAndCatch()).toContain('postgres/PG_VERSION.gz has another content');
  }
  await rename(resolveScratch('PG_VERSION'), victim);
  expect(await readdir(resolveScratch('fresh'))).toEqual(['postgres.lock']);
});

test('refuses a manifest with paths outside the data directory, and a backup of a newer version', async () => {
  const { format: _, ...content } = await readManifest(backup);
  const strange = resolveScratch('strange');
  const restoreWith = async (changes: Partial<typeof content>) => {
    await rm(strange, { recursive: true, force: true });
    await mkdir(strange);
    await writeManifest(strange, { ...content, directories: [], files: [], ...changes });
    return catchOperatorError(
      restoreBackup(createInstallation(resolveScratch('fresh')), { dir: strange }, silent),
    );
  };
  for (const path of ['postgres/../../escaped', '/etc/passwd', 'postgres/..', 'postgres//x', 'other/file']) {
    expect(await restoreWith({ directories: [path] })).toContain('was altered');
  }
  const migrations = [...content.migrations, '9999_future.sql'];
  expect(await restoreWith({ migrations })).toContain(
    'migration 9999_future.sql, which this version does not know',
  );
});

test('with TESSERA_DATABASE_URL, both commands refuse and name the tools of PostgreSQL', async () => {
  const remote = createInstallation(dataDir, { TESSERA_DATABASE_URL: 'postgres://localhost/tessera' });
  expect(await catchOperatorError(createBackup(remote, { dir: resolveScratch('remote') }, silent))).toMatch(
    /TESSERA_DATABASE_URL use pg_dump$/,
  );
  expect(await catchOperatorError(restoreBackup(remote, { dir: backup }, silent))).toMatch(
    /TESSERA_DATABASE_URL use pg_restore$/,
  );
});

test('the commands report errors in one line with an exit code, and the help warns about the secrets in a backup', async () => {
  const output: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => output.push(String(text)) > 0),
  );
  const environment = { TESSERA_DATA_DIR: resolveScratch('fresh') };
  try {
    expect(await runCli(['restore', resolveScratch('absent')], environment)).toBe(1);
    expect(output).toEqual([
      `tessera: nothing was restored: ${resolveScratch('absent')} contains no complete backup: it has no manifest.json\n`,
    ]);
    expect(await runCli(['backup'], environment)).toBe(2);
    expect(await runCli(['backup', '--help'], environment)).toBe(0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(output.join('').replace(/\s+/g, ' ')).toContain(
    'Anyone who has the copy can read every secret in it.',
  );
});

test('backs up a stopped service too', async () => {
  await server.stop();
  await mkdir(resolveScratch('stopped'), { mode: 0o755 });
  await createBackup(createInstallation(dataDir), { dir: resolveScratch('stopped') }, silent);
  expect((await stat(resolveScratch('stopped'))).mode & 0o777).toBe(0o700);
  expect((await readManifest(resolveScratch('stopped'))).migrations).toEqual(
    (await readManifest(backup)).migrations,
  );
});

test.skipIf(!isRoot)(
  '[needs root] a restore by root gives the files to the owner of the data directory',
  async () => {
    const home = resolveScratch('home');
    await mkdir(home);
    await chown(home, 65_534, 65_534);
    await restoreBackup(createInstallation(home), { dir: resolveScratch('stopped') }, silent);
    const names = ['postgres', 'postgres/PG_VERSION', 'postgres/base', 'master.key', 'postgres.lock'];
    const owners = await Promise.all(names.map(async (name) => (await stat(join(home, name))).uid));
    expect(owners).toEqual(names.map(() => 65_534));
  },
);

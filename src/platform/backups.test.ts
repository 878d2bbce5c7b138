import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCli } from '../cli.ts';
import { restoreCounts } from '../operator.ts';
import { borrowDatabaseServer } from '../service.ts';
import { createBackup, restoreBackup, type Installation } from '#platform/backups.ts';
import { systemClock } from '#platform/clock.ts';
import { OperatorError } from '#platform/command-line.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database/database.ts';
import { readManifest, writeManifest } from '#platform/embedded-postgres/backup-and-restore.ts';
import {
  DataDirInUseError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#platform/embedded-postgres/index.ts';
import { makeScratchDirectory, query } from '#test/embedded-postgres.ts';
import { openKeys } from '#platform/security/keys.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { loadMasterKey, createSecrets } from '#platform/security/secrets.ts';

const isRoot = process.getuid!() === 0;
const writers_count = 3;
const accounts_count = 50;

/** So small a log that without the backup's slot the server would recycle what the copy needs. */
const settings = { max_wal_size: '32MB', min_wal_size: '32MB' };

let scratch: Awaited<ReturnType<typeof makeScratchDirectory>>;
let dataDir: string;
let backup: string;
let restored: string;
let server: EmbeddedPostgres;
let kids: string[];

const silent = { write: () => undefined };
const at = (name: string) => join(scratch.path, name);

beforeAll(async () => {
  scratch = await makeScratchDirectory();
  [dataDir, backup, restored] = [at('data'), at('backup'), at('restored')];
  server = await startEmbeddedPostgres({ dataDir, settings });
  await migrateDatabase(server.connection);
  kids = await signingKeys(server.connection, dataDir);
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

function installation(place: string, environment: Readonly<Record<string, string>> = {}): Installation {
  const config = readConfig({ TESSERA_DATA_DIR: place, ...environment });
  return {
    config,
    borrowDatabase: () => borrowDatabaseServer(config, openLog({ level: 'silent' })),
    counts: restoreCounts,
  };
}

/** Opens the sealed signing keys with the data directory's master key, as a start does. */
async function signingKeys(connection: EmbeddedPostgres['connection'], place: string): Promise<string[]> {
  const database = openDatabase(connection, () => undefined);
  const secrets = createSecrets(await loadMasterKey(undefined, place));
  try {
    const keys = await openKeys(database, secrets, systemClock);
    keys.close();
    return [keys.selectActive('ES256').kid, keys.selectActive('RS256').kid];
  } finally {
    await database.close();
  }
}

/** Writes without a pause until `stop`: rows in order, money from hand to hand, tables that come and go, and a log that moves on. */
function writeMeanwhile(): { readonly acknowledged: number[]; stop(): Promise<void> } {
  const acknowledged = Array.from({ length: writers_count }, () => 0);
  const stopping = new AbortController();
  const each = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
    const client = new pg.Client(server.connection);
    await client.connect();
    while (!stopping.signal.aborted) await work(client);
    await client.end();
  };
  const write = (writer: number) =>
    each(async (client) => {
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
  const churn = each(async (client) => {
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

async function waitForRows({ acknowledged }: ReturnType<typeof writeMeanwhile>, rows: number): Promise<void> {
  while (Math.min(...acknowledged) < rows) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Reads every row and every index entry, and with them every page's checksum. */
async function faults(connection: EmbeddedPostgres['connection']): Promise<unknown[]> {
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

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OperatorError);
  expect((error as Error).message).not.toContain('\n');
  return (error as Error).message;
}

test('a backup under continuous writes holds all that was acknowledged before, whole and consistent', async () => {
  const writing = writeMeanwhile();
  await waitForRows(writing, 20);
  const before = [...writing.acknowledged];
  const result = await createBackup(installation(dataDir), { dir: backup }, silent);
  const after = [...writing.acknowledged];
  await writing.stop();
  expect(result).toMatchObject({
    backup,
    postgres_version: '18.4',
    last_migration: expect.stringMatching(/\.sql$/),
  });
  expect(Math.min(...after.map((count, writer) => count - before[writer]!))).toBeGreaterThan(0);

  const report = await restoreBackup(installation(restored), { dir: backup }, silent);
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
    expect(await faults(second.connection)).toEqual([]);
    expect(await migrateDatabase(second.connection)).toEqual([]);
    expect(await signingKeys(second.connection, restored)).toEqual(kids);
  } finally {
    await second.stop();
  }
});

test('the log was kept for the backup, and only for as long', async () => {
  const manifest = await readManifest(backup);
  expect(manifest.files.filter(({ path }) => /pg_wal\/[0-9A-F]{24}$/.test(path)).length).toBeGreaterThan(1);
  expect(await query(server.connection, 'SELECT slot_name FROM pg_replication_slots')).toEqual([]);
});

test('backup and restored directory open to nobody else, and hold no trace of the running server', async () => {
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

test('a backup is refused where it would mix with something: a directory that is not empty, or the database itself', async () => {
  expect(await refusalOf(createBackup(installation(dataDir), { dir: backup }, silent))).toContain(
    'is not empty',
  );
  const inside = join(dataDir, 'postgres', 'base', 'backup');
  expect(await refusalOf(createBackup(installation(dataDir), { dir: inside }, silent))).toContain(
    'is in the database itself',
  );
  await expect(stat(inside)).rejects.toThrow('ENOENT');
});

test('without a database nothing is backed up, and none is made', async () => {
  const refused = createBackup(installation(at('absent')), { dir: at('unused') }, silent);
  expect(await refusalOf(refused)).toBe(`nothing was backed up: there is no database in ${at('absent')}`);
  await expect(stat(at('absent'))).rejects.toThrow('ENOENT');
  await expect(stat(at('unused'))).rejects.toThrow('ENOENT');
});

test('a backup whose server goes away leaves nothing that could be taken for one', async () => {
  const broken: Installation = {
    ...installation(dataDir),
    borrowDatabase: async () => {
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_backup_start%' AND pid <> pg_backend_pid()`;
      const timer = setInterval(() => void query(server.connection, cut).catch(() => undefined), 20);
      return { settings: server.connection, stop: async () => clearInterval(timer) };
    },
  };
  const dir = at('cut-off');
  await expect(createBackup(broken, { dir }, silent)).rejects.toThrow(/terminat|not queryable/);
  await expect(stat(dir)).rejects.toThrow('ENOENT');
});

test('a restore never overwrites: not a running service’s database, not a stopped one’s, not another master key', async () => {
  await expect(restoreBackup(installation(dataDir), { dir: backup }, silent)).rejects.toThrow(
    DataDirInUseError,
  );
  const taken = await refusalOf(restoreBackup(installation(restored), { dir: backup }, silent));
  expect(taken).toContain('already has a database');
  await mkdir(at('keyed'));
  await writeFile(join(at('keyed'), 'master.key'), 'another');
  const keyed = await refusalOf(restoreBackup(installation(at('keyed')), { dir: backup }, silent));
  expect(keyed).toContain('already has another master.key');
  expect(await readFile(join(at('keyed'), 'master.key'), 'utf8')).toBe('another');
});

test('an incomplete or altered backup is refused, and leaves no database behind', async () => {
  const refusal = () => refusalOf(restoreBackup(installation(at('fresh')), { dir: backup }, silent));
  const manifest = join(backup, 'manifest.json');
  const content = await readFile(manifest, 'utf8');
  await rename(manifest, `${manifest}.new`);
  expect(await refusal()).toContain('holds no complete backup');
  await writeFile(manifest, content.replace('"created_at": "2', '"created_at": "3'));
  expect(await refusal()).toContain('manifest.json is not what the backup wrote');
  await writeFile(manifest, content.slice(0, -100));
  expect(await refusal()).toContain('manifest.json is not JSON');
  await rename(`${manifest}.new`, manifest);

  const victim = join(backup, 'postgres', 'PG_VERSION');
  await rename(victim, at('PG_VERSION'));
  expect(await refusal()).toContain('postgres/PG_VERSION is missing');
  await writeFile(victim, '18');
  expect(await refusal()).toContain('postgres/PG_VERSION is not as long as it was');
  await writeFile(victim, '19\n');
  expect(await refusal()).toContain('postgres/PG_VERSION is not what was backed up');
  await rename(at('PG_VERSION'), victim);
  expect(await readdir(at('fresh'))).toEqual(['postgres.lock']);
});

test('a manifest cannot lead out of the data directory, and a newer version’s backup is not taken for ours', async () => {
  const { format: _, ...content } = await readManifest(backup);
  const strange = at('strange');
  const refusalWith = async (changes: Partial<typeof content>) => {
    await rm(strange, { recursive: true, force: true });
    await mkdir(strange);
    await writeManifest(strange, { ...content, directories: [], files: [], ...changes });
    return refusalOf(restoreBackup(installation(at('fresh')), { dir: strange }, silent));
  };
  for (const path of ['postgres/../../escaped', '/etc/passwd', 'postgres/..', 'postgres//x', 'other/file']) {
    expect(await refusalWith({ directories: [path] })).toContain('was altered');
  }
  const migrations = [...content.migrations, '9999_future.sql'];
  expect(await refusalWith({ migrations })).toContain(
    'migration 9999_future.sql, which this version does not know',
  );
});

test('with TESSERA_DATABASE_URL both point to PostgreSQL’s own tools', async () => {
  const remote = installation(dataDir, { TESSERA_DATABASE_URL: 'postgres://localhost/tessera' });
  expect(await refusalOf(createBackup(remote, { dir: at('remote') }, silent))).toMatch(
    /TESSERA_DATABASE_URL use pg_dump$/,
  );
  expect(await refusalOf(restoreBackup(remote, { dir: backup }, silent))).toMatch(
    /TESSERA_DATABASE_URL use pg_restore$/,
  );
});

test('the commands answer in one line with their exit codes, and the help says what a backup gives away', async () => {
  const said: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0),
  );
  const environment = { TESSERA_DATA_DIR: at('fresh') };
  try {
    expect(await runCli(['restore', at('absent')], environment)).toBe(1);
    expect(said).toEqual([
      `tessera: nothing was restored: ${at('absent')} holds no complete backup: it has no manifest.json\n`,
    ]);
    expect(await runCli(['backup'], environment)).toBe(2);
    expect(await runCli(['backup', '--help'], environment)).toBe(0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(said.join('').replace(/\s+/g, ' ')).toContain('Whoever has the copy can read every secret in it.');
});

test('a stopped service is backed up too', async () => {
  await server.stop();
  await mkdir(at('stopped'), { mode: 0o755 });
  await createBackup(installation(dataDir), { dir: at('stopped') }, silent);
  expect((await stat(at('stopped'))).mode & 0o777).toBe(0o700);
  expect((await readManifest(at('stopped'))).migrations).toEqual((await readManifest(backup)).migrations);
});

test.skipIf(!isRoot)('[needs root] root restores for the account that owns the data directory', async () => {
  const home = at('home');
  await mkdir(home);
  await chown(home, 65_534, 65_534);
  await restoreBackup(installation(home), { dir: at('stopped') }, silent);
  const names = ['postgres', 'postgres/PG_VERSION', 'postgres/base', 'master.key', 'postgres.lock'];
  const owners = await Promise.all(names.map(async (name) => (await stat(join(home, name))).uid));
  expect(owners).toEqual(names.map(() => 65_534));
});

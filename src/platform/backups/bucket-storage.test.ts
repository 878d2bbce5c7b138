import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { catchOperatorError } from '#test/catch-operator-error.ts';
import { readConfig } from '#platform/config.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { access, startBucketServer } from '#test/bucket-server.ts';
import { findFreePort } from '#test/free-port.ts';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { makeScratchDirectory, query } from '@tessera/embedded-postgres/testing';
import { restoreCounts } from '../../app/operator.ts';
import { borrowDatabaseServer } from '../../app/service.ts';
import { openBucket } from './bucket-client.ts';
import { createArchiver, type ArchiveSettings } from './archiver.ts';
import { restoreBackup } from './backups.ts';
import { runDrill } from './drill.ts';

const scratch = await makeScratchDirectory();
const dataDir = join(scratch.path, 'data');
const [server, storage] = [await startEmbeddedPostgres({ dataDir }), await startBucketServer()];
cleanUpAfterFile(async () => {
  await server.stop();
  await storage.close();
  await scratch.remove();
});
const url = `${storage.url}/tessera`;
const settings: ArchiveSettings = {
  connection: server.connection,
  dataDir,
  archive: { ...access, url },
  days: 7,
};
const archiver = createArchiver(settings);
const environment = {
  TESSERA_ARCHIVE_URL: url,
  TESSERA_ARCHIVE_REGION: access.region,
  TESSERA_ARCHIVE_KEY_ID: access.key_id,
  TESSERA_ARCHIVE_SECRET: access.secret,
};
let places = 0;

const write = (number: number) => query(server.connection, `INSERT INTO written VALUES (${number})`);
const readTime = async () =>
  (await query<{ time: Date }>(server.connection, 'SELECT clock_timestamp() AS time'))[0]!.time.toISOString();
const findKey = (pattern: RegExp) => [...storage.objects.keys()].find((key) => pattern.test(key))!;

/** Lists the backups that have any object, complete or not. */
const listBackupNames = () => [
  ...new Set([...storage.objects.keys()].flatMap((key) => key.match(/(?<=^tessera\/)2[^/]+/) ?? [])),
];

/** Makes the next backup of an archiver, and goes on from it. */
async function begin(each: ReturnType<typeof createArchiver>) {
  await each.advance();
  await each.settle();
  return each.advance();
}

/** Restores into a new directory and reads from it. */
async function restore(at?: string, more: Readonly<Record<string, string>> = {}, from = url) {
  const place = join(scratch.path, `restored-${(places += 1)}`);
  const config = readConfig({ ...environment, ...more, TESSERA_DATA_DIR: place });
  const installation = {
    config,
    borrowDatabase: () => borrowDatabaseServer(config, openLog({ level: 'silent' })),
    counts: restoreCounts,
  };
  await restoreBackup(installation, { dir: from, ...(at && { at }) }, { write: () => undefined });
  expect(await readdir(place)).not.toContain('archive-incoming');
  const restored = await startEmbeddedPostgres({ dataDir: place });
  try {
    const rows = await query<{ number: number }>(
      restored.connection,
      'SELECT number FROM written ORDER BY number',
    );
    return rows.map(({ number }) => number);
  } finally {
    await restored.stop();
  }
}

async function catchRefusal(work: Promise<unknown>): Promise<string> {
  const message = await catchOperatorError(work);
  expect(message).not.toContain(access.secret);
  return message;
}

const moments: string[] = [];

beforeAll(async () => {
  await migrateDatabase(server.connection);
  await query(server.connection, 'CREATE TABLE written (number int)');
  await write(0);
  await begin(archiver);
  for (const number of [1, 2, 3]) {
    moments.push(await readTime());
    await write(number);
    await archiver.advance();
  }
});
beforeEach(() => {
  storage.fault = () => undefined;
});

test('an archive in a storage that speaks S3 can be restored as it was at any moment', async () => {
  expect(await restore(moments[1])).toEqual([0, 1]);
  expect(await readdir(dataDir)).not.toContain('archive-outgoing');
  expect([...storage.objects.keys()].every((key) => key.startsWith('tessera/2'))).toBe(true);
});

test('an idle look adds one small object, and a complete segment is stored as a whole', async () => {
  const before = new Set(storage.objects.keys());
  await archiver.advance();
  const added = [...storage.objects.keys()].filter((key) => !before.has(key));
  expect(added).toHaveLength(1);
  expect(storage.objects.get(added[0]!)!.length).toBeLessThan(2_000);
  await query(
    server.connection,
    `CREATE TABLE filling AS SELECT number, repeat(md5(number::text), 30) FROM generate_series(1, 40000) AS number`,
  );
  await write(4);
  await archiver.advance();
  expect(findKey(/\/log\/[0-9A-F]{24}\.gz$/)).toBeDefined();
});

test('another process continues the archive, whatever the last one left, and catches up after each fault of the storage', async () => {
  const open = findKey(/\/log\/[0-9A-F]{24}\/\d{12}\.gz$/);
  storage.objects.set(open.replace(/\d{12}\.gz$/, '999999999999.gz'), Buffer.from('half of a'));
  await write(5);
  storage.fault = (method, key) =>
    method === 'PUT' && key.endsWith('log-end.json') ? { status: 500, code: 'InternalError' } : undefined;
  await expect(archiver.advance()).rejects.toThrow(`${url} answers 500 InternalError`);
  storage.fault = () => undefined;
  const next = createArchiver(settings);
  await next.advance();
  await write(6);
  const faults = [
    [{ status: 403, code: 'AccessDenied' }, 'answers 403 AccessDenied: the key may not do this'],
    [{ status: 507, code: 'InsufficientStorage' }, 'answers 507 InsufficientStorage'],
    [{ status: 503, code: 'SlowDown' }, 'answers 503 SlowDown'],
  ] as const;
  for (const [fault, line] of faults) {
    storage.fault = () => fault;
    await expect(next.advance()).rejects.toThrow(`${url} ${line}`);
  }
  const gone = `http://127.0.0.1:${await findFreePort()}/archives`;
  await expect(openBucket({ ...access, url: gone }).list('')).rejects.toThrow(
    `${gone} does not answer: ECONNREFUSED`,
  );
  storage.fault = () => 'silent';
  await expect(openBucket({ ...access, url }, 50).list('')).rejects.toThrow(
    `${url} does not answer: it takes too long`,
  );
  storage.fault = () => undefined;
  await next.advance();
  expect(await restore()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test.each([
  [{ region: 'us-east-9' }, 'answers 400 AuthorizationHeaderMalformed: look at TESSERA_ARCHIVE_REGION'],
  [{ key_id: 'AKIDOTHER' }, 'answers 403 InvalidAccessKeyId: look at TESSERA_ARCHIVE_KEY_ID'],
  [{ secret: 'another' }, 'answers 403 SignatureDoesNotMatch: look at TESSERA_ARCHIVE_SECRET'],
  [{ url: `${storage.url}-other/tessera` }, 'answers 404 NoSuchBucket: look at TESSERA_ARCHIVE_URL'],
])('%j is refused in one line that names the variable', async (wrong, line) => {
  const archive = { ...access, url, ...wrong };
  await expect(createArchiver({ ...settings, archive }).advance()).rejects.toThrow(`${archive.url} ${line}`);
});

test('a damaged, missing or interrupted object is refused in one line, and nothing is left', async () => {
  const file = findKey(/postgres\/global\/pg_filenode\.map\.gz$/);
  const content = storage.objects.get(file)!;
  const flipped = Buffer.from(content);
  flipped[Math.floor(content.length / 2)]! ^= 1;
  storage.objects.set(file, flipped);
  expect(await catchRefusal(restore())).toContain('global/pg_filenode.map.gz has another content');
  storage.objects.set(file, content);
  const parts = [...storage.objects.keys()].filter((key) => /\/\d{12}\.gz$/.test(key)).toSorted();
  const part = parts.findLast((key) => !key.endsWith('/999999999999.gz'))!;
  const kept = storage.objects.get(part)!;
  storage.objects.delete(part);
  expect(await catchRefusal(restore())).toMatch(/the archive was altered: \S+\.gz is missing$/);
  storage.objects.set(part, kept);
  storage.fault = (method, key) => (method === 'GET' && key.endsWith('manifest.json') ? 'cut' : undefined);
  expect(await catchRefusal(restore())).toMatch(/breaks off/);
  expect(await readdir(join(scratch.path, `restored-${places}`))).toEqual([]);
});

test('a moment that the archive does not have and an address without its key are refused in one line', async () => {
  expect(await catchRefusal(restore('2001-01-01T00:00:00Z'))).toContain(`before the first backup in ${url}`);
  expect(await catchRefusal(restore('2999-01-01T00:00:00Z'))).toContain('the latest moment is');
  expect(await catchRefusal(restore(undefined, { TESSERA_ARCHIVE_URL: '' }))).toContain(
    'an address needs TESSERA_ARCHIVE_URL',
  );
  expect(await catchRefusal(restore(undefined, {}, `${storage.url}/empty`))).toContain(
    'contains no complete backup',
  );
});

test('a drill proves the archive, records it there and leaves nothing here', async () => {
  const config = readConfig({ ...environment, TESSERA_DATA_DIR: dataDir });
  const installation = {
    config,
    borrowDatabase: async () => ({ superuser: server.connection, stop: async () => undefined }),
    counts: restoreCounts,
  };
  const parts = { tables: ['written'], checkContent: async () => undefined };
  const following = createArchiver(settings);
  const runFollowedDrill = async () => {
    const over = new AbortController();
    const follow = async () => {
      while (!over.signal.aborted) {
        await following.advance();
        await pause(200);
      }
    };
    const [report] = await Promise.all([runDrill(installation, parts).finally(() => over.abort()), follow()]);
    return report;
  };
  expect(await runFollowedDrill()).toMatchObject({ fault: null, rows: { written: 7 } });
  expect(JSON.parse(String(storage.objects.get('tessera/drill.json')))).toMatchObject({ fault: null });
  expect(await readdir(dataDir)).not.toContain('archive-incoming');
});

test('an outdated backup is removed with all its objects, and so is what an interrupted one left', async () => {
  const first = findKey(/log-end\.json$/).split('/')[1]!;
  await query(server.connection, `SELECT pg_drop_replication_slot('tessera_archive')`);
  storage.fault = (method, key) =>
    method === 'PUT' && key.endsWith('manifest.json') ? { status: 500, code: 'InternalError' } : undefined;
  const impatient = createArchiver({ ...settings, days: 0 });
  await impatient.advance();
  await impatient.settle();
  expect(listBackupNames()).toHaveLength(2);
  storage.fault = () => undefined;
  await query(server.connection, `SELECT pg_drop_replication_slot('tessera_archive')`);
  await begin(createArchiver({ ...settings, days: 0 }));
  const [only, ...others] = listBackupNames();
  expect([others, only === first]).toEqual([[], false]);
});

test('a foreign installation is refused, and nothing is written', async () => {
  const place = join(scratch.path, 'foreign');
  await mkdir(place);
  const foreign = await startEmbeddedPostgres({ dataDir: place });
  const before = [...storage.objects.keys()];
  try {
    await expect(
      createArchiver({ ...settings, connection: foreign.connection, dataDir: place }).advance(),
    ).rejects.toThrow(`${url} has backups of another installation: choose another place`);
    expect([...storage.objects.keys()]).toEqual(before);
  } finally {
    await foreign.stop();
  }
});

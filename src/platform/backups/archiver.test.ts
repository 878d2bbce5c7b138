import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { catchOperatorError } from '#test/catch-operator-error.ts';
import { readConfig } from '#platform/config.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { makeScratchDirectory, query } from '@tessera/embedded-postgres/testing';
import { restoreCounts } from '../../app/operator.ts';
import { borrowDatabaseServer } from '../../app/service.ts';
import { forgetArchive } from './archive-slot.ts';
import { listBackups } from './archive.ts';
import { createArchiver, type ArchiveSettings } from './archiver.ts';
import { restoreBackup } from './backups.ts';

const scratch = await makeScratchDirectory();
const [dataDir, archive] = [join(scratch.path, 'data'), join(scratch.path, 'archive')];
const server = await startEmbeddedPostgres({ dataDir });
cleanUpAfterFile(async () => {
  await server.stop();
  await scratch.remove();
});
const settings: ArchiveSettings = { connection: server.connection, dataDir, archive, days: 7 };
const archiver = createArchiver(settings);
const silent = { write: () => undefined };
let places = 0;

const write = (number: number) => query(server.connection, `INSERT INTO written VALUES (${number})`);
const readTime = async () =>
  (await query<{ time: Date }>(server.connection, 'SELECT clock_timestamp() AS time'))[0]!.time.toISOString();

/** Makes the first backup of an archiver, and goes on from it. */
async function begin(each: ReturnType<typeof createArchiver>) {
  await each.advance();
  await each.settle();
  return each.advance();
}

/** Restores into a new directory and reads from it. */
async function restore(at: string | undefined, from = archive) {
  const place = join(scratch.path, `restored-${(places += 1)}`);
  const config = readConfig({ TESSERA_DATA_DIR: place });
  const installation = {
    config,
    borrowDatabase: () => borrowDatabaseServer(config, openLog({ level: 'silent' })),
    counts: restoreCounts,
  };
  await restoreBackup(installation, { dir: from, ...(at && { at }) }, silent);
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

/** Lists the backups of an archive that has at least one. */
async function listSome(place: string) {
  const backups = await listBackups(place);
  expect(backups.length).toBeGreaterThan(0);
  return backups as [(typeof backups)[number], ...typeof backups];
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

test('an archive can be restored as it was at any moment, and to what was acknowledged before the last look', async () => {
  expect(await restore(moments[0])).toEqual([0]);
  expect(await restore(moments[2])).toEqual([0, 1, 2]);
  expect(await restore(undefined)).toEqual([0, 1, 2, 3]);
});

test('an idle service can be restored to a moment at which nothing was written', async () => {
  const before = await readTime();
  const range = await archiver.advance();
  expect(Date.parse(range!.to)).toBeGreaterThanOrEqual(Date.parse(before));
  expect(await restore(before)).toEqual([0, 1, 2, 3]);
});

test('an idle look adds little, and more than a segment of log is archived as whole segments', async () => {
  const [{ backup, end }] = await listSome(archive);
  await archiver.advance();
  const [{ end: next }] = await listSome(archive);
  expect(next.open_bytes - end.open_bytes).toBeLessThan(2_000);
  await query(
    server.connection,
    `CREATE TABLE filling AS SELECT number, repeat(md5(number::text), 30) FROM generate_series(1, 40000) AS number`,
  );
  await write(4);
  await archiver.advance();
  const names = await readdir(join(backup, 'log'));
  expect(names.filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).length).toBeGreaterThan(1);
  expect(names.filter((name) => name.endsWith('.open.gz'))).toHaveLength(1);
  expect(await restore(undefined)).toEqual([0, 1, 2, 3, 4]);
});

test('another process continues the archive, whatever the last one left behind the end of the log', async () => {
  const [{ backup, end }] = await listSome(archive);
  const open = (await readdir(join(backup, 'log'))).find((name) => name.endsWith('.open.gz'))!;
  await writeFile(join(backup, 'log', open), 'half of a', { flag: 'a' });
  expect(await restore(end.to)).toEqual([0, 1, 2, 3, 4]);
  await write(5);
  await createArchiver(settings).advance();
  expect((await listBackups(archive)).map((each) => each.backup)).toEqual([backup]);
  expect(await restore(undefined)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a moment before the first backup, after the end, or without a time zone is refused in one line', async () => {
  const [{ end }] = await listSome(archive);
  expect(await catchOperatorError(restore('2001-01-01T00:00:00Z'))).toBe(
    `nothing was restored: 2001-01-01T00:00:00.000Z is before the first backup in ${archive}: the earliest moment is ${end.from}`,
  );
  expect(await catchOperatorError(restore('2999-01-01T00:00:00Z'))).toContain(
    `the latest moment is ${end.to}`,
  );
  for (const at of ['2026-11-27', '2026-11-27T10:00:00', 'yesterday'])
    expect(await catchOperatorError(restore(at))).toContain('a moment with its time zone');
});

test('a flipped bit, a missing part and a foreign log are refused in one line, and nothing is left', async () => {
  const [{ backup, end }] = await listSome(archive);
  const names = await readdir(join(backup, 'log'));
  const whole = join(
    backup,
    'log',
    names.find((name) => /^[0-9A-F]{24}\.gz$/.test(name))!,
  );
  const content = await readFile(whole);
  const flipped = Buffer.from(content);
  // In a checksum: in the middle may be a part of a header that means nothing, such as a time.
  flipped[content.length - 8]! ^= 4;
  await writeFile(whole, flipped);
  expect(await catchOperatorError(restore(undefined))).toMatch(
    /was altered: log\/[0-9A-F]{24}\.gz is damaged$/,
  );
  await rm(whole);
  expect(await catchOperatorError(restore(undefined))).toMatch(
    /was altered: log\/[0-9A-F]{24}\.gz is missing$/,
  );
  const other = names.findLast((name) => /^[0-9A-F]{24}\.gz$/.test(name))!;
  await writeFile(whole, await readFile(join(backup, 'log', other)));
  expect(await catchOperatorError(restore(undefined))).toContain('its log cannot be read up to');
  await writeFile(whole, content);
  expect(await readdir(join(scratch.path, `restored-${places}`))).toEqual(['postgres.lock']);
  const file = join(backup, 'log-end.json');
  await writeFile(file, JSON.stringify({ ...end, position: 'far' }));
  expect(await catchOperatorError(restore(undefined))).toContain('log-end.json is not valid');
  await writeFile(file, JSON.stringify(end));
  expect(await restore(undefined)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('an archive of another installation is refused, and stays as it is', async () => {
  const place = join(scratch.path, 'foreign');
  const foreign = await startEmbeddedPostgres({ dataDir: place });
  try {
    const before = await readdir(archive);
    const { connection } = foreign;
    await expect(createArchiver({ ...settings, connection, dataDir: place }).advance()).rejects.toThrow(
      `${archive} has backups of another installation: choose another place`,
    );
    expect(await readdir(archive)).toEqual(before);
  } finally {
    await foreign.stop();
  }
});

test('a new backup begins when the server no longer has the log, and backups that are too old are removed', async () => {
  await query(server.connection, `SELECT pg_drop_replication_slot('tessera_archive')`);
  await expect(archiver.advance()).rejects.toThrow('a new backup begins');
  await begin(archiver);
  const backups = await listBackups(archive);
  expect(backups).toHaveLength(2);
  await write(6);
  await archiver.advance();
  expect(await restore(undefined)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(await restore(moments[1])).toEqual([0, 1]);

  await query(server.connection, `SELECT pg_drop_replication_slot('tessera_archive')`);
  const impatient = createArchiver({ ...settings, days: 0 });
  await begin(impatient);
  expect(await listBackups(archive)).toHaveLength(1);
});

test('a backup that was interrupted is removed by the next one, and a storage that refuses is tried again', async () => {
  const place = join(scratch.path, 'refusing');
  await mkdir(join(place, '2026-01-01T00-00-00.000Z.new'), { recursive: true });
  await writeFile(join(scratch.path, 'file'), '');
  const refusing = createArchiver({ ...settings, archive: join(scratch.path, 'file', 'archive') });
  await expect(refusing.advance()).rejects.toThrow('ENOTDIR');
  await query(server.connection, `SELECT pg_drop_replication_slot('tessera_archive')`);
  const other = createArchiver({ ...settings, archive: place });
  await begin(other);
  expect((await readdir(place)).filter((name) => name.endsWith('.new'))).toEqual([]);
  const [{ backup }] = await listSome(place);
  await rename(join(backup, 'log'), join(backup, 'away'));
  await write(7);
  await expect(other.advance()).rejects.toThrow('ENOENT');
  await rename(join(backup, 'away'), join(backup, 'log'));
  await other.advance();
  expect(await restore(undefined, place)).toContain(7);
  expect((await stat(backup)).mode & 0o077).toBe(0);
});

test('without an archive, the server keeps no log for it', async () => {
  const slots = `SELECT slot_name FROM pg_replication_slots WHERE slot_name = 'tessera_archive'`;
  expect(await query(server.connection, slots)).toHaveLength(1);
  await forgetArchive(server.connection);
  await forgetArchive(server.connection);
  expect(await query(server.connection, slots)).toEqual([]);
});

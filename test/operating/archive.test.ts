import { chmod, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listBackups } from '#platform/backups/archive.ts';
import { findFreePorts, prepareDataDir, runTessera, type TesseraProcess } from '../process/run-tessera.ts';

// The real programs, on one data directory, in this order.
const [dataDir, archive] = [await prepareDataDir(), join(await prepareDataDir(), 'archive')];
const environment = {
  TESSERA_DATA_DIR: dataDir,
  TESSERA_ARCHIVE_DIR: archive,
  TESSERA_RATE_LIMITS: 'off',
  ...(await findFreePorts()),
};
const point_s_max = 60;
let service: TesseraProcess;
let url = '';

async function start(): Promise<void> {
  service = runTessera(['serve'], environment);
  url = (await service.ready).replace('localhost', '127.0.0.1');
}

let people = 0;

/** @returns the time after which it is acknowledged. */
async function register(): Promise<number> {
  const reply = await fetch(`${url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `person-${(people += 1)}@example.org`,
      password: 'Correct-Horse-7-Battery',
      name: 'Ada',
      role: 'member',
    }),
  });
  expect(reply.status).toBe(201);
  return Date.now();
}

async function readRange(): Promise<{ from: number; to: number } | undefined> {
  const end = (await listBackups(archive)).at(-1)?.end;
  return end && { from: Date.parse(end.from), to: Date.parse(end.to) };
}

/** Waits until the archive has what was acknowledged at a time. @returns for how many seconds it did not have it. */
async function awaitArchive(time: number): Promise<number> {
  for (;;) {
    const range = await readRange();
    if (range && range.to >= time) return (Date.now() - time) / 1_000;
    await pause(100);
  }
}

async function runCommand(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const command = runTessera(['cli', ...words, '--json'], { ...environment, ...more });
  const code = await command.exited;
  return {
    code,
    errors: command.readErrors(),
    output: code === 0 ? JSON.parse(command.readOutput()) : command.readOutput(),
  };
}

test('an idle and a busy service can be restored to a moment at most 60 seconds ago', async () => {
  await start();
  const idle_s = await awaitArchive(await register());
  const busy = new AbortController();
  const writing = (async () => {
    while (!busy.signal.aborted) await register();
  })();
  const lags: number[] = [];
  for (let round = 0; round < 3; round += 1) lags.push(await awaitArchive(Date.now()));
  busy.abort();
  await writing;
  process.stdout.write(`recovery point: idle ${idle_s} s, busy ${lags.join(', ')} s, ${people} people\n`);
  expect(Math.max(idle_s, ...lags)).toBeLessThan(point_s_max);
}, 300_000);

test('a drill proves it beside the running service, and leaves nothing', async () => {
  const { code, output } = await runCommand(['drill']);
  expect([code, output.fault]).toEqual([0, null]);
  expect(output.rows).toMatchObject({ members: people, users: people });
  process.stdout.write(`drill: ${output.seconds} s, ${output.restored_bytes} bytes\n`);
  expect(await readdir(dataDir)).not.toContain('drill');
  expect(JSON.parse(await readFile(join(archive, 'drill.json'), 'utf8'))).toMatchObject({ fault: null });
  await register();
}, 300_000);

test('a drill names what is wrong in one line, and the service goes on', async () => {
  const [newest] = (await listBackups(archive)).slice(-1);
  const file = join(newest!.backup, 'postgres', 'global', 'pg_filenode.map.gz');
  const content = await readFile(file);
  const flipped = Buffer.from(content);
  flipped[Math.floor(content.length / 2)]! ^= 1;
  await writeFile(file, flipped);
  const damaged = await runCommand(['drill']);
  expect(damaged.code).toBe(1);
  expect(damaged.errors).toMatch(
    /^tessera: the archive was not proven: \S+ was altered: postgres\/global\/pg_filenode\.map\.gz has another content\n$/,
  );
  await writeFile(file, content);
  const recorded = JSON.parse(await readFile(join(archive, 'drill.json'), 'utf8'));
  expect(recorded.fault).toContain('has another content');
  expect(recorded.succeeded_at).toEqual(expect.any(String));
  expect(await readdir(dataDir)).not.toContain('drill');
  await register();
}, 300_000);

test('a restore never touches the running service, nor a moment that the archive does not have', async () => {
  const running = await runCommand(['restore', archive]);
  expect([running.code, running.errors]).toEqual([
    1,
    expect.stringMatching(/^tessera: The data directory .* is in use by process \d+\.\n$/),
  ]);
  const empty = { TESSERA_DATA_DIR: await prepareDataDir(), TESSERA_ARCHIVE_DIR: '' };
  const early = await runCommand(['restore', archive, '--at', '2001-01-01T00:00:00Z'], empty);
  expect([early.code, early.errors]).toEqual([
    1,
    expect.stringMatching(/^tessera: nothing was restored: .* is before the first backup in .*\n$/),
  ]);
  await register();
}, 300_000);

test('a storage that refuses is one line in the log, and is followed again when it accepts', async () => {
  await rename(archive, `${archive}-away`);
  await writeFile(archive, 'not a directory');
  while (!service.readOutput().includes('the archive does not follow the database')) await pause(200);
  await register();
  await chmod(archive, 0o600);
  await rename(archive, `${archive}-file`);
  await rename(`${archive}-away`, archive);
  await awaitArchive(Date.now());
  expect(service.readOutput().match(/the archive does not follow the database/g)).toHaveLength(1);
}, 300_000);

test('what was written before a stop, a moment and a crash are restored', async () => {
  const moment = new Date(await register()).toISOString();
  const known = people;
  await register();
  service.process.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  const place = { TESSERA_DATA_DIR: await prepareDataDir(), TESSERA_ARCHIVE_DIR: '' };
  const newest = await runCommand(['restore', archive], place);
  expect([newest.code, newest.output.members]).toEqual([0, people]);
  const other = { TESSERA_DATA_DIR: await prepareDataDir(), TESSERA_ARCHIVE_DIR: '' };
  const past = await runCommand(['restore', archive, '--at', moment], other);
  expect([past.code, past.output.members, past.output.as_of]).toEqual([0, known, moment]);

  // The restored installation goes on, into the same archive.
  Object.assign(environment, { TESSERA_DATA_DIR: place.TESSERA_DATA_DIR });
  await start();
  await awaitArchive(await register());
  service.process.kill('SIGKILL');
  await service.exited;
  const third = { TESSERA_DATA_DIR: await prepareDataDir(), TESSERA_ARCHIVE_DIR: '' };
  const restored = await runCommand(['restore', archive], third);
  expect([restored.code, restored.output.members]).toEqual([0, people]);
  expect(await listBackups(archive)).toHaveLength(2);
}, 300_000);

import { mkdir, readdir, readFile, readlink, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive, launchScript, makeScratchDirectory, query } from './testing.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './index.ts';

const isRoot = process.getuid!() === 0;
const isLinux = process.platform === 'linux';

let scratch: Awaited<ReturnType<typeof makeScratchDirectory>>;
let dataDir: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  scratch = await makeScratchDirectory();
  dataDir = join(scratch.path, 'data');
  server = await startEmbeddedPostgres({ name: 'example', dataDir });
});

afterAll(async () => {
  await server.stop();
  await scratch.remove();
});

test('commits are synced to the disk, pages have checksums, and text sorts by code point', async () => {
  const [settings] = await query(
    server.connection,
    `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('full_page_writes') AS full_page_writes, current_setting('data_checksums') AS data_checksums,
       current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS time_zone,
       current_setting('server_version_num')::int >= 180000 AS is_18,
       (SELECT datlocale FROM pg_database WHERE datname = current_database()) AS locale,
       (SELECT string_agg(word, ' ' ORDER BY word) FROM unnest('{é,a,Z,b,A}'::text[]) AS word) AS sorted, upper('é') AS upper`,
  );
  expect(settings).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    encoding: 'UTF8',
    time_zone: 'UTC',
    is_18: true,
    locale: 'C.UTF-8',
    sorted: 'A Z a b é',
    upper: 'É',
  });
});

test.runIf(isLinux)(
  'listens on a socket that only its own account can reach, and on no TCP port',
  async () => {
    const directory = await stat(server.connection.host);
    const cluster = await stat(join(dataDir, 'postgres'));
    expect(directory.mode & 0o777).toBe(0o700);
    expect(directory.uid).toBe(cluster.uid);
    const descriptors = `/proc/${server.pid}/fd`;
    const links = await Promise.all(
      (await readdir(descriptors)).map((name) => readlink(join(descriptors, name)).catch(() => '')),
    );
    const tables = await Promise.all(
      ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
    );
    const tcp = new Set(
      tables
        .join('\n')
        .split('\n')
        .map((line) => `socket:[${line.trim().split(/\s+/)[9]}]`),
    );
    expect(links.some((link) => link.startsWith('socket:'))).toBe(true);
    expect(links.filter((link) => tcp.has(link))).toEqual([]);
  },
);

test.runIf(isRoot && isLinux)('refuses a connection from another account of the machine', async () => {
  const otherAccount = launchScript(
    `console.log(await query({ host: dataDir, port: 5432, user: 'example', database: 'example' }, 'SELECT 1').then(
       () => 'connected', (error) => error.code));`,
    server.connection.host,
    { uid: 1, gid: 1 },
  );
  expect(await otherAccount.readLine()).toBe('EACCES');
});

test.runIf(isLinux)('the server does not inherit the environment of the service', async () => {
  const environment = await readFile(`/proc/${server.pid}/environ`, 'utf8').catch(() => '');
  expect(environment).not.toContain('HOME=');
});

test('refuses a second start on the same directory, in this process and in another', async () => {
  const message = `${dataDir} is in use by process ${process.pid}`;
  await expect(startEmbeddedPostgres({ name: 'example', dataDir })).rejects.toThrow(message);
  const other = launchScript(
    `await startEmbeddedPostgres({ name: 'example', dataDir }).catch((error) => console.log(error.name + ': ' + error.message));`,
    dataDir,
  );
  expect(await other.readLine()).toBe(`DataDirInUse: The data directory ${message}.`);
  expect(await query(server.connection, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
});

test('stop is idempotent, and a restart finds the data and creates the requested database', async () => {
  await query(server.connection, 'CREATE TABLE stored AS SELECT 7 AS number');
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
  expect(isAlive(server.pid)).toBe(false);
  expect(await readdir(dataDir)).toEqual(['postgres', 'postgres.lock']);
  server = await startEmbeddedPostgres({ name: 'example', dataDir, database: 'with "quotes"' });
  const connection = { ...server.connection, database: 'example' };
  expect(await query(server.connection, 'SELECT current_database() AS name')).toEqual([
    { name: 'with "quotes"' },
  ]);
  expect(await query(connection, 'SELECT number FROM stored')).toEqual([{ number: 7 }]);
});

test('passes settings to the server, but none that would open it to the network', async () => {
  await server.stop();
  const settings = { listen_addresses: '*', LISTEN_ADDRESSES: '*', max_connections: '17' };
  server = await startEmbeddedPostgres({ name: 'example', dataDir, settings });
  const rows = await query(
    server.connection,
    `SELECT current_setting('max_connections') AS connections,
    current_setting('listen_addresses') AS addresses`,
  );
  expect(rows).toEqual([{ connections: '17', addresses: '' }]);
});

test('a failed start reports the server log and releases the directory', async () => {
  await server.stop();
  const settings = { shared_buffers: 'plenty' };
  await expect(startEmbeddedPostgres({ name: 'example', dataDir, settings })).rejects.toThrow(
    'invalid value for parameter "shared_buffers": "plenty"',
  );
  const log: string[] = [];
  server = await startEmbeddedPostgres({ name: 'example', dataDir, log: (line) => log.push(line) });
  expect(log.join('\n')).toContain('database system is ready to accept connections');
});

test('works with a data directory whose path is too long for a socket', async () => {
  await server.stop();
  const parent = join(scratch.path, 'long'.repeat(30));
  await mkdir(parent, { mode: 0o755 });
  await rename(dataDir, join(parent, 'data, "moved"'));
  dataDir = join(parent, 'data, "moved"');
  server = await startEmbeddedPostgres({ name: 'example', dataDir });
  expect(server.connection.host.length).toBeLessThan(90);
  expect(await query(server.connection, 'SELECT number FROM stored')).toEqual([{ number: 7 }]);
  await server.stop();
  await expect(stat(server.connection.host)).rejects.toThrow('ENOENT');
});

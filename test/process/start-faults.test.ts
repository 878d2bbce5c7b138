import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { query } from '@tessera/embedded-postgres/testing';
import { cleanUpAfterFile } from '../clean-up.ts';
import { findFreePorts, prepareDataDir, runProgram, runTessera } from './run-tessera.ts';

/** A new database with options, and its URL; dropped after the file. */
async function createDatabase(options = '') {
  const server = inject('server');
  const name = `start_${randomBytes(4).toString('hex')}`;
  await query(server, `create database ${name} ${options}`);
  cleanUpAfterFile(async () => void (await query(server, `drop database ${name} with (force)`)));
  const { host, port, user } = server;
  return { name, url: `postgres://${user}@${encodeURIComponent(host)}:${port}/${name}` };
}

async function start(environment: Record<string, string>) {
  const given = { TESSERA_DATA_DIR: await prepareDataDir(), ...(await findFreePorts()), ...environment };
  return { ...runTessera(['serve'], given), ports: given };
}

test.each<readonly [string, () => Promise<Record<string, string>>, RegExp]>([
  [
    'a database of another encoding',
    async () => ({
      TESSERA_DATABASE_URL: (
        await createDatabase("encoding 'LATIN1' locale 'C' locale_provider libc template template0")
      ).url,
    }),
    /the database has the encoding LATIN1: create one with/,
  ],
  [
    'a server without TLS that is asked for it',
    async () => {
      // The reply to the question for TLS.
      const server = createServer((socket) => socket.on('error', () => undefined).write('N'));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      cleanUpAfterFile(() => server.close());
      const { port } = server.address() as { port: number };
      return { TESSERA_DATABASE_URL: `postgres://x@127.0.0.1:${port}/x?sslmode=verify-full` };
    },
    /does not support SSL connections \(sslmode in TESSERA_DATABASE_URL asks for it\)/,
  ],
  [
    'a certificate of the database that does not exist',
    async () => ({
      TESSERA_DATABASE_URL: 'postgres://x@127.0.0.1/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
    }),
    /\/nowhere\/ca\.pem/,
  ],
  [
    'a schema that is missing',
    async () => {
      const { name, url } = await createDatabase();
      await query({ ...inject('server'), database: name }, 'drop schema public');
      return { TESSERA_DATABASE_URL: url };
    },
    /the database cannot be used: .*schema/,
  ],
])('a start with %s ends in one line that names the cause', async (_, prepare, line) => {
  const started = await start(await prepare());
  expect(await started.exited).toBe(1);
  expect(started.readErrors()).toMatch(line);
  expect(started.readErrors()).toMatch(/^tessera: [^\n]+\n$/);
});

test('settings of the server, the database and the role change nothing: the service sets its own for each session', async () => {
  const { name, url } = await createDatabase();
  for (const setting of [
    "DateStyle = 'German'",
    "IntervalStyle = 'sql_standard'",
    "TimeZone = 'Asia/Kathmandu'",
    "search_path = 'nowhere'",
    'standard_conforming_strings = off',
    "client_encoding = 'LATIN1'",
    "bytea_output = 'escape'",
    'extra_float_digits = -3',
    "default_transaction_isolation = 'serializable'",
  ])
    await query(inject('server'), `alter database ${name} set ${setting}`);
  const started = await start({ TESSERA_DATABASE_URL: url });
  const address = (await started.ready).replace('localhost', '127.0.0.1');
  const ready = await fetch(`http://127.0.0.1:${started.ports.TESSERA_INTERNAL_PORT}/health/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { database: 'up' }]);
  const body = {
    email: 'zoe@example.org',
    password: 'Correct-Horse-7-Battery',
    name: "Zoë 李 – “O\\'Neil”",
    role: 'member',
  };
  const send = async (at: string, init: RequestInit = {}) => {
    const response = await fetch(`${address}/api/v1${at}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const registered = await send('/auth/register', post);
  expect(registered.status).toBe(201);
  const me = await send('/auth/me', {
    headers: { authorization: `Bearer ${registered.body['access_token']}` },
  });
  expect([me.status, me.body]).toMatchObject([200, { email: body.email }]);
  started.process.kill('SIGTERM');
  expect([await started.exited, started.readErrors()]).toEqual([0, '']);
});

test('a start and a command wait for a lock as long as it is held, whereas a request gets 503', async () => {
  const { name, url } = await createDatabase();
  const environment = { TESSERA_DATABASE_URL: url, TESSERA_DATA_DIR: await prepareDataDir() };
  expect(await runTessera(['migrate'], environment).exited).toBe(0);
  const holder = new pg.Client({ ...inject('server'), database: name });
  await holder.connect();
  cleanUpAfterFile(() => holder.end());
  /** Counts those who have waited for a lock for longer than a request may. */
  const countPatient = async () => {
    const { rows } = await holder.query<{ count: string }>(
      "select count(distinct pid) from pg_locks where not granted and clock_timestamp() - waitstart > '4 seconds'",
    );
    return Number(rows[0]!.count);
  };
  await holder.query('begin; lock table signing_keys in access exclusive mode');
  const started = await start(environment);
  const command = runTessera(['cli', 'keys', 'list'], environment);
  await expect.poll(countPatient).toBe(2);
  await holder.query('commit');
  expect([await command.exited, command.readErrors()]).toEqual([0, '']);
  const address = (await started.ready).replace('localhost', '127.0.0.1');
  await holder.query('begin; lock table users in access exclusive mode');
  const reply = await fetch(`${address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'zoe@example.org', password: 'Correct-Horse-7-Battery' }),
  });
  expect([reply.status, await reply.json()]).toMatchObject([503, { code: 'overloaded' }]);
  await holder.query('commit');
});

test('an embedded database that cannot start ends the start in one line, with what it logged', async () => {
  const dataDir = await prepareDataDir();
  const first = await start({ TESSERA_DATA_DIR: dataDir });
  await first.ready;
  first.process.kill('SIGTERM');
  await first.exited;
  await appendFile(path.join(dataDir, 'postgres', 'postgresql.conf'), 'nonsense = 1\n');
  const { exited, readErrors } = await start({ TESSERA_DATA_DIR: dataDir });
  expect(await exited).toBe(1);
  expect(readErrors()).toMatch(/^tessera: [^\n]*unrecognized configuration parameter "nonsense"[^\n]*\n$/);
});

test('a data directory that cannot be written ends the start in one line', async () => {
  const dataDir = await prepareDataDir();
  await mkdir(dataDir);
  const isRoot = process.getuid!() === 0;
  // Permissions do not stop root; an attribute of the file system does.
  const close = isRoot ? runProgram('chattr', ['+i', dataDir]).exited : chmod(dataDir, 0o500);
  expect(await close).toBe(isRoot ? 0 : undefined);
  const { exited, readErrors } = runTessera(['serve'], {
    TESSERA_DATA_DIR: dataDir,
    ...(await findFreePorts()),
  });
  const code = await exited;
  await (isRoot ? runProgram('chattr', ['-i', dataDir]).exited : chmod(dataDir, 0o700));
  expect(code).toBe(1);
  expect(readErrors()).toMatch(/^tessera: the data directory [^\n]* cannot be written [^\n]+\n$/);
});

const pooler = '/usr/sbin/pgbouncer';
const hasPooler = existsSync(pooler);

/** Runs PgBouncer in front of the server of the tests. @returns a new database, and its URL through it. */
async function startPooler(mode: string): Promise<{ readonly name: string; readonly url: string }> {
  const { name } = await createDatabase();
  const { host, port, user } = inject('server');
  const { TESSERA_PORT: own } = await findFreePorts();
  const folder = path.dirname(await prepareDataDir());
  // The socket of the server is open to the account of the server only.
  const owner = runProgram('stat', ['-c', '%U', host]);
  await owner.exited;
  const account = owner.readOutput().trim();
  const settings = `[databases]
${name} = host=${host} port=${port} user=${user} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 30
${process.getuid!() === 0 ? `user = ${account}` : ''}
`;
  await writeFile(path.join(folder, 'pgbouncer.ini'), settings);
  runProgram(pooler, [path.join(folder, 'pgbouncer.ini')]);
  return { name, url: `postgres://${user}@127.0.0.1:${own}/${name}` };
}

test.skipIf(!hasPooler)('PgBouncer in session mode works', async () => {
  const { url } = await startPooler('session');
  const started = await start({ TESSERA_DATABASE_URL: url });
  await started.ready;
  const ready = await fetch(`http://127.0.0.1:${started.ports.TESSERA_INTERNAL_PORT}/health/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { database: 'up' }]);
});

test.skipIf(!hasPooler).each(['transaction', 'statement'])(
  'PgBouncer in %s mode ends the start in one line, before anything is migrated',
  async (mode) => {
    const { name, url } = await startPooler(mode);
    const started = await start({ TESSERA_DATABASE_URL: url });
    expect(await started.exited).toBe(1);
    expect(started.readErrors()).toMatch(/^tessera: [^\n]*(?:pooler|transaction)[^\n]*\n$/);
    const tables = "select relname from pg_class where relnamespace = 'public'::regnamespace";
    expect(await query({ ...inject('server'), database: name }, tables)).toEqual([]);
  },
);

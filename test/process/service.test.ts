import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { isAlive, query } from '@tessera/embedded-postgres/testing';
import {
  findFreePorts,
  prepareDataDir,
  readPostgresPid,
  runTessera,
  type TesseraProcess,
} from './run-tessera.ts';

// The tests run in this order on one data directory.
let environment: Record<string, string>;
let service: TesseraProcess;
let url = '';

const email = 'ada@example.org';
const password = 'Correct-Horse-7-Battery';

beforeAll(async () => {
  environment = {
    TESSERA_DATA_DIR: await prepareDataDir(),
    TESSERA_RATE_LIMITS: 'off',
    ...(await findFreePorts()),
  };
  await start();
});
afterAll(async () => {
  service.process.kill('SIGTERM');
  await service.exited;
});

async function start(): Promise<void> {
  service = runTessera(['serve'], environment);
  url = (await service.ready).replace('localhost', '127.0.0.1');
}

function post(path: string, body: object): Promise<Response> {
  return fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
}

test('the service prints once that it is ready, with its address', async () => {
  const lines = service
    .readOutput()
    .split('\n')
    .filter((line) => line.startsWith('tessera'));
  expect(lines).toEqual([`tessera ready http://localhost:${environment['TESSERA_PORT']}`]);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${environment['TESSERA_INTERNAL_PORT']}/health/ready`)).status).toBe(
    200,
  );
  expect((await post('/auth/register', { email, password, name: 'Ada', role: 'member' })).status).toBe(201);
});

test('a second service on the same data directory is refused in one line, and the first one continues', async () => {
  const second = runTessera(['serve'], { ...environment, ...(await findFreePorts()) });
  expect(await second.exited).toBe(1);
  expect(second.readErrors()).toMatch(/^tessera: The data directory .* is in use by process \d+\.\n$/);
  expect((await post('/auth/login', { email, password })).status).toBe(200);
});

test('an operator’s command works on the database of the running service', async () => {
  const created = runTessera(
    [
      'cli',
      'user',
      'create',
      '--email',
      'root@example.org',
      '--password',
      password,
      '--role',
      'platform_admin',
      '--json',
    ],
    environment,
  );
  expect([await created.exited, created.readErrors()]).toEqual([0, '']);
  expect(JSON.parse(created.readOutput())).toMatchObject({ role: 'platform_admin' });
  expect((await post('/auth/login', { email: 'root@example.org', password })).status).toBe(200);
});

test('it uses its database as a role that is no superuser', async () => {
  const superuser = await findRunningPostgres(environment['TESSERA_DATA_DIR']!);
  const rows = await query<{ usename: string }>(
    superuser!,
    `select distinct usename from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  expect(rows).toEqual([{ usename: 'tessera_service' }]);
});

test('when its database dies, the service replies with 503 and Retry-After, and recovers without a restart', async () => {
  const pid = await readPostgresPid(environment['TESSERA_DATA_DIR']!);
  process.kill(pid, 'SIGKILL');
  const statuses: number[] = [];
  const waits = new Set<string | null>();
  const hasRecovered = async () => {
    const response = await post('/auth/login', { email, password });
    statuses.push(response.status);
    if (response.status === 503) waits.add(response.headers.get('retry-after'));
    return response.status === 200 && statuses.includes(503);
  };
  await expect.poll(hasRecovered).toBe(true);
  expect(new Set(statuses.filter((status) => status !== 200))).toEqual(new Set([503]));
  expect(waits).toEqual(new Set(['2']));
  expect(await readPostgresPid(environment['TESSERA_DATA_DIR']!)).not.toBe(pid);
  const countLines = (text: string) => service.readOutput().split(text).length - 1;
  await expect.poll(() => countLines('the database accepts writes again')).toBe(1);
  expect(countLines('the database does not reply')).toBe(1);
});

test('after SIGKILL the service starts again and has every row that it had acknowledged', async () => {
  const acknowledged: string[] = [];
  const registering = (async () => {
    for (let number = 0; ; number++) {
      const response = await post('/auth/register', {
        email: `p${number}@example.org`,
        password,
        name: 'P',
        role: 'member',
      });
      if (response.status === 201) acknowledged.push(`p${number}@example.org`);
    }
  })().catch(() => undefined);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(4);
  service.process.kill('SIGKILL');
  expect(await service.exited).toBe('SIGKILL');
  await registering;
  await start();
  const found = await Promise.all(
    acknowledged.map(async (each) => (await post('/auth/login', { email: each, password })).status),
  );
  expect(found).toEqual(acknowledged.map(() => 200));
});

const readText = async (url: string) => (await fetch(url)).text();

test('on SIGTERM the service finishes its requests, stops its database, and exits with code 0', async () => {
  const pid = await readPostgresPid(environment['TESSERA_DATA_DIR']!);
  const body = JSON.stringify({ email, password });
  const socket = connect(Number(environment['TESSERA_PORT']), '127.0.0.1');
  let reply = '';
  socket.on('data', (chunk) => (reply += chunk.toString()));
  socket.write(
    `POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await expect
    .poll(() => readText(`http://127.0.0.1:${environment['TESSERA_INTERNAL_PORT']}/metrics`))
    .toMatch(/^tessera_http_requests_in_flight 1$/m);
  service.process.kill('SIGTERM');
  await pause(200);
  socket.write(body.slice(5));
  expect([await service.exited, service.readErrors()]).toEqual([0, '']);
  expect(reply).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(isAlive(pid)).toBe(false);
});

test('a port in use is reported in one line, and everything opened before is closed', async () => {
  const squatter = createServer();
  await new Promise<void>(
    (resolve) => void squatter.listen(Number(environment['TESSERA_INTERNAL_PORT']), '127.0.0.1', resolve),
  );
  const refused = runTessera(['serve'], environment);
  expect(await refused.exited).toBe(1);
  expect(refused.readErrors()).toMatch(/^tessera: listen EADDRINUSE[^\n]*\n$/);
  await new Promise((resolve) => squatter.close(resolve));
});

test('another master key is refused in one line, and everything opened before is closed', async () => {
  const other = runTessera(['serve'], {
    ...environment,
    TESSERA_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
  });
  expect(await other.exited).toBe(1);
  expect(other.readErrors()).toMatch(/^tessera: TESSERA_MASTER_KEY is not the one [^\n]+\n$/);
});

test('wrong usage is exit code 2, in one line', async () => {
  const wrong = runTessera(['nonsense']);
  expect(await wrong.exited).toBe(2);
  expect(wrong.readErrors()).toMatch(/^tessera: unknown command "nonsense"[^\n]*\n$/);
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { TestPostgres } from '#test/global-setup.ts';
import { access, startBucketServer } from '#test/bucket-server.ts';
import { cloneDatabase } from '#test/harness.ts';
import { describeFailedChecks, runDoctor, summariseChecks, type Check } from './doctor.ts';

let dataDir: string;
const ports = { TESSERA_PORT: '0', TESSERA_INTERNAL_PORT: '0' };
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'tessera-doctor-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function findCheck(name: string, environment: Readonly<Record<string, string>>): Promise<Check> {
  const { checks } = await runDoctor({ TESSERA_DATA_DIR: dataDir, ...ports, ...environment });
  return checks.find(({ check }) => check === name)!;
}

test('a new installation has no failed check, and each check is one line', async () => {
  const result = await runDoctor({ TESSERA_DATA_DIR: dataDir, ...ports });
  expect(describeFailedChecks(result)).toBeUndefined();
  const lines = summariseChecks(result);
  expect(Object.keys(lines)).toEqual([
    'configuration',
    'means',
    'data_directory',
    'master_key',
    'database',
    'archive',
    'redis',
    'mail',
    'port',
    'internal_port',
  ]);
  for (const line of Object.values(lines)) expect(line).toMatch(/^(ok|warning), [^\n]+$/);
});

test('a wrong configuration is the only failed check', async () => {
  const result = await runDoctor({ TESSERA_PROT: '1' });
  expect(result).toEqual({
    checks: [{ check: 'configuration', status: 'failed', detail: expect.stringContaining('TESSERA_PROT') }],
  });
  expect(describeFailedChecks(result)).toBe('failed: configuration');
});

test('a database is checked for its version and its schema', async () => {
  const { host, port, user, database } = await cloneDatabase();
  const TESSERA_DATABASE_URL = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;
  expect(await findCheck('database', { TESSERA_DATABASE_URL })).toEqual({
    check: 'database',
    status: 'ok',
    detail: expect.stringMatching(/^PostgreSQL \d+\.\d+.*, current schema$/),
  });
});

function buildServiceUrl({ host, port, database }: TestPostgres): string {
  return `postgres://${inject('serviceUser')}@${encodeURIComponent(host)}:${port}/${database}`;
}

test('a database that is read-only is a failed check', async () => {
  const service = buildServiceUrl(await cloneDatabase());
  const TESSERA_DATABASE_URL = `${service}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
  expect(await findCheck('database', { TESSERA_DATABASE_URL })).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('read-only'),
  });
});

test.skipIf(inject('serviceUser') === inject('server').user)(
  'a user who may not migrate is a failed check only while a migration is missing',
  async () => {
    const settings = await cloneDatabase();
    const TESSERA_DATABASE_URL = buildServiceUrl(settings);
    expect(await findCheck('database', { TESSERA_DATABASE_URL })).toMatchObject({ status: 'ok' });
    const client = new pg.Client(settings);
    await client.connect();
    await client.query('delete from migrations where name = (select max(name) from migrations)');
    await client.end();
    expect(await findCheck('database', { TESSERA_DATABASE_URL })).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('run "migrate" as the owner'),
    });
  },
);

test.each([
  ['database', { TESSERA_DATABASE_URL: 'postgres://tessera@127.0.0.1:1/tessera' }],
  ['redis', { TESSERA_REDIS_URL: 'redis://127.0.0.1:1' }],
  ['mail', { TESSERA_SMTP_URL: 'smtp://127.0.0.1:1' }],
])('%s that does not reply is a failed check of one line', async (name, environment) => {
  expect(await findCheck(name, environment)).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/^[^\n]*ECONNREFUSED[^\n]*$/),
  });
});

test('a mail server that accepts the login is ok', async () => {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const check = await findCheck('mail', {
    TESSERA_SMTP_URL: `smtp://127.0.0.1:${port}`,
    TESSERA_MAIL_FROM: 'jobs@example.org',
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  expect(check).toMatchObject({ status: 'ok', detail: expect.stringContaining('jobs@example.org') });
});

test('a port in use is a warning, and an address of another machine a failure', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await findCheck('port', { TESSERA_PORT: String(port) })).toMatchObject({ status: 'warning' });
  await new Promise((resolve) => server.close(resolve));
  expect(await findCheck('internal_port', { TESSERA_INTERNAL_HOST: '192.0.2.1' })).toMatchObject({
    status: 'failed',
  });
});

test('a file as the data directory, a broken master key and another PostgreSQL are failures', async () => {
  const file = path.join(dataDir, 'file');
  await writeFile(file, '');
  expect(await findCheck('data_directory', { TESSERA_DATA_DIR: file })).toMatchObject({
    status: 'failed',
    detail: `${file} is a file, not a directory`,
  });
  const other = path.join(dataDir, 'other');
  await mkdir(path.join(other, 'postgres'), { recursive: true });
  await writeFile(path.join(other, 'postgres', 'PG_VERSION'), '17\n');
  await writeFile(path.join(other, 'master.key'), 'short');
  expect(await findCheck('master_key', { TESSERA_DATA_DIR: other })).toMatchObject({ status: 'failed' });
  expect(await findCheck('database', { TESSERA_DATA_DIR: other })).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('belongs to PostgreSQL 17'),
  });
});

test('an archive is checked for what can be restored, and a storage that refuses is a failed check', async () => {
  const TESSERA_ARCHIVE_DIR = path.join(dataDir, 'archive');
  expect(await findCheck('archive', { TESSERA_ARCHIVE_DIR })).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('no backup yet'),
  });
  const [from, to] = ['2026-11-27T14:03:21.000Z', '2026-11-27T15:00:00.000Z'];
  const backup = path.join(TESSERA_ARCHIVE_DIR, from.replaceAll(':', '-'));
  await mkdir(backup, { recursive: true });
  const end = {
    format: 1,
    system_identifier: '7',
    timeline: 1,
    segment_bytes: 16_777_216,
    start: '0',
    position: '9',
    open_bytes: 0,
  };
  await writeFile(path.join(backup, 'log-end.json'), JSON.stringify({ ...end, from, to }));
  expect((await findCheck('archive', { TESSERA_ARCHIVE_DIR })).detail).toContain(
    `restorable from ${from} to ${to}`,
  );
  const bucket = await startBucketServer();
  const refused = await findCheck('archive', {
    TESSERA_ARCHIVE_URL: bucket.url,
    TESSERA_ARCHIVE_REGION: access.region,
    TESSERA_ARCHIVE_KEY_ID: access.key_id,
    TESSERA_ARCHIVE_SECRET: 'another',
  });
  await bucket.close();
  expect(refused).toMatchObject({ status: 'failed', detail: expect.stringMatching(/^[^\n]+$/) });
});

test('a check of a module is one of the checks, and fails with its error', async () => {
  const checkNothing = () => Promise.reject(new Error('the node does not answer\nat once'));
  const { checks } = await runDoctor({ TESSERA_DATA_DIR: dataDir, ...ports }, { chain: checkNothing });
  expect(checks.at(-1)).toEqual({ check: 'chain', status: 'failed', detail: 'the node does not answer' });
});

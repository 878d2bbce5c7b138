import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { Readable } from 'node:stream';
import { cloneDatabase } from '#test/harness.ts';
import { readDemoConfig, readSandboxConfig, runCommand } from './command.ts';

let dataDir: string;
let out = '';
let err = '';

beforeAll(async () => {
  dataDir = path.join(await mkdtemp(path.join(tmpdir(), 'tessera-command-')), 'data');
});
afterAll(() => rm(path.dirname(dataDir), { recursive: true, force: true }));
beforeEach(() => {
  [out, err] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => vi.restoreAllMocks());

const run = (words: readonly string[], environment = {}) =>
  runCommand(words, { TESSERA_DATA_DIR: dataDir, ...environment });

test.each([
  [['nonsense']],
  [['serve', 'now']],
  [['work', '--quietly']],
  [['migrate', 'now']],
  [['cli']],
  [['cli', 'nonsense']],
  [['cli', 'org', 'set-tier']],
])('exits with code 2 on wrong usage: %j', async (words) => {
  expect(await run(words)).toBe(2);
  expect(out).toBe('');
  expect(err).not.toMatch(/ {4}at /);
});

test.each([
  [['--help']],
  [['-h']],
  [['serve', '--help']],
  [['cli', '--help']],
  [['cli', 'org', 'set-tier', '--help']],
  [['cli', 'help', 'user']],
  ...['demo', 'import', 'items', 'keys', 'matches', 'org', 'user'].map((group) => [['cli', group, '--help']]),
])('prints help, starts nothing and exits with code 0: %j', async (words) => {
  expect(await run(words)).toBe(0);
  expect([out, err]).toEqual([expect.stringMatching(/usage/i), '']);
});

test.each([[['--version']], [['cli', '--version']]])('prints the version: %j', async (words) => {
  expect(await run(words)).toBe(0);
  expect(out).toBe(`${project.version}\n`);
});

test('describes every group of operator commands', async () => {
  expect(await run(['cli', '--help'])).toBe(0);
  for (const group of ['demo', 'import', 'items', 'keys', 'matches', 'org', 'user'])
    expect(out).toMatch(new RegExp(`^  ${group}  +[A-Z]`, 'm'));
});

test.each([
  [['--password', 'Correct-Horse-9', '--password-stdin'], 'Correct-Horse-9\n', /either with/],
  [[], '', /either with/],
  [['--password-stdin'], '\n', /standard input has no password/],
  [['--password-stdin'], 'weak\nCorrect-Horse-9', /password/],
])('reads the password of a new user once, from one source: %j with input %j', async (flags, input, line) => {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin);
  const words = ['cli', 'user', 'create', '--email', 'a@example.org', '--role', 'auditor', ...flags];
  const { host, port, user, database } = await cloneDatabase();
  const TESSERA_DATABASE_URL = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;
  const TESSERA_MASTER_KEY = Buffer.alloc(32).toString('base64');
  expect(await run(words, { TESSERA_DATABASE_URL, TESSERA_MASTER_KEY })).toBe(1);
  expect(err).toMatch(line);
});

test('the demonstration has its own data directory, unless one is named', () => {
  for (const environment of [{}, { TESSERA_DATA_DIR: '' }])
    expect(readDemoConfig(environment).dataDir).toBe(path.resolve('.tessera-demo'));
  expect(readDemoConfig({ TESSERA_DATA_DIR: dataDir }).dataDir).toBe(dataDir);
});

test('a sandbox runs beside a service: it has a data directory and ports of its own, unless others are named', () => {
  const { dataDir: own, port, internalPort, sandbox } = readSandboxConfig({});
  expect([own, port, internalPort, sandbox]).toEqual([path.resolve('.tessera-sandbox'), 8430, 8431, true]);
  expect(readSandboxConfig({ TESSERA_DATA_DIR: dataDir, TESSERA_PORT: '1' })).toMatchObject({
    dataDir,
    port: 1,
  });
});

test.each([
  [['serve'], { TESSERA_PROT: '8420' }, /TESSERA_PROT/],
  [['serve'], { TESSERA_PORT: 'http' }, /TESSERA_PORT/],
  [[], { TESSERA_ENV: 'production' }, /TESSERA_MASTER_KEY/],
  [['work'], { TESSERA_ENV: 'production' }, /TESSERA_MASTER_KEY/],
  [['demo'], { TESSERA_TOKEN_ALGORITHM: 'none' }, /TESSERA_TOKEN_ALGORITHM/],
  [['demo'], { TESSERA_ENV: 'production' }, /the demonstration is refused/],
  [['sandbox'], { TESSERA_DATABASE_URL: 'postgres://db/tessera' }, /TESSERA_DATABASE_URL must be unset/],
  [['sandbox'], { TESSERA_PAYMENT_RAIL: 'transfer' }, /TESSERA_PAYMENT_RAIL/],
  [['sandbox'], { TESSERA_ROLES: 'api' }, /TESSERA_ROLES must be api,worker/],
  [['sandbox', '--sed', '1'], {}, /Unknown option '--sed'/],
  [['cli', 'keys', 'rotate'], { TESSERA_MASTER_KEY: 'short' }, /TESSERA_MASTER_KEY/],
  [
    ['migrate'],
    { TESSERA_DATABASE_URL: 'postgres://tessera@127.0.0.1:1/tessera' },
    /the database cannot be used: .*ECONNREFUSED/,
  ],
  [
    ['serve'],
    { TESSERA_DATABASE_URL: 'postgres://tessera@127.0.0.1:1/tessera' },
    /the database cannot be used/,
  ],
])(
  'reports an error that the operator can correct in one line, with exit code 1: %j with %j',
  async (words, environment, line) => {
    expect(await run(words, environment)).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(line);
    expect(err).toMatch(/^tessera: [^\n]+\n$/);
    await expect(readdir(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

test.each<readonly [string, () => Promise<string>, RegExp]>([
  [
    'a file',
    async () => {
      const file = path.join(path.dirname(dataDir), 'file');
      await writeFile(file, '');
      return file;
    },
    /the data directory .*file is a file or is below one/,
  ],
  [
    'a directory below a file',
    async () => path.join(path.dirname(dataDir), 'file', 'data'),
    /the data directory .*data is a file or is below one/,
  ],
  [
    'the database of another PostgreSQL',
    async () => {
      const other = path.join(path.dirname(dataDir), 'other');
      await mkdir(path.join(other, 'postgres'), { recursive: true });
      await writeFile(path.join(other, 'postgres', 'PG_VERSION'), '17\n');
      return other;
    },
    /belongs to PostgreSQL 17, but this version of the service runs PostgreSQL 18/,
  ],
])('a start on %s prints one line, with exit code 1', async (_, prepare, line) => {
  expect(await run(['serve'], { TESSERA_DATA_DIR: await prepare() })).toBe(1);
  expect(err).toMatch(line);
  expect(err).toMatch(/^tessera: [^\n]+\n$/);
});

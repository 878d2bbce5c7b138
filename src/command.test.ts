import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from './command.ts';

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
])('prints help, starts nothing and exits with code 0: %j', async (words) => {
  expect(await run(words)).toBe(0);
  expect([out, err]).toEqual([expect.stringMatching(/usage/i), '']);
});

test.each([
  [['serve'], { TESSERA_PROT: '8420' }, /TESSERA_PROT/],
  [['serve'], { TESSERA_PORT: 'http' }, /TESSERA_PORT/],
  [[], { TESSERA_ENV: 'production' }, /TESSERA_MASTER_KEY/],
  [['work'], { TESSERA_ENV: 'production' }, /TESSERA_MASTER_KEY/],
  [['demo'], { TESSERA_TOKEN_ALGORITHM: 'none' }, /TESSERA_TOKEN_ALGORITHM/],
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

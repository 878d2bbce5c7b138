import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import {
  buildCommandTable,
  command,
  OperatorError,
  runOperatorCommand,
  type OperatorCommand,
} from './command-line.ts';

const commands: readonly OperatorCommand<string>[] = [
  command({
    usage: 'org set-tier <org> <tier>',
    summary: 'Sets a tier.',
    options: [
      ['--reason <reason>!', 'why'],
      ['--seed <number>', 'the seed', '1'],
    ],
    run: async (context: string, input) => ({ context, ...input, list: [1, 2] }),
  }),
  command({
    usage: 'org report',
    summary: 'Prints a summary, and all of it as JSON.',
    run: async () => ({ total: 2, details: [1, 2] }),
    summarise: ({ total }) => ({ total }),
  }),
  command({
    usage: 'org refuse',
    summary: 'Refuses.',
    run: () => Promise.reject(new OperatorError('the file does not exist')),
  }),
  command({
    usage: 'refuse',
    summary: 'Refuses like an operation.',
    run: () => Promise.reject(new Refusal('email_taken')),
  }),
  command({ usage: 'break', summary: 'Has a defect.', run: () => Promise.reject(new Error('a defect')) }),
];

let out = '';
let err = '';
beforeEach(() => {
  [out, err] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => vi.restoreAllMocks());

let opened = 0;
const table = buildCommandTable(commands, (work) => {
  opened++;
  return work('the platform');
});
/** A second table, whose commands run with another context. */
const otherTable = buildCommandTable<number>(
  [
    command({
      usage: 'other',
      summary: 'Belongs to the second table.',
      run: async (context: number) => ({ context }),
    }),
  ],
  (work) => work(7),
);
const run = (...words: string[]) => runOperatorCommand([table, otherTable], words);

test('a command receives its arguments, its flags and their defaults, and its result is printed', async () => {
  expect(await run('org', 'set-tier', 'acme', 'partner', '--reason', 'merit')).toBe(0);
  expect(out.trimEnd().split('\n').toSorted()).toEqual([
    'context: the platform',
    'list: [1,2]',
    'org: acme',
    'reason: merit',
    'seed: 1',
    'tier: partner',
  ]);
});

test('a command of another table runs with the context of that table', async () => {
  expect(await run('other')).toBe(0);
  expect(out).toBe('context: 7\n');
});

test('prints the result as one line of JSON with --json', async () => {
  expect(await run('org', 'set-tier', 'acme', 'partner', '--reason', 'merit', '--seed', '7', '--json')).toBe(
    0,
  );
  expect(JSON.parse(out)).toEqual({
    context: 'the platform',
    reason: 'merit',
    seed: '7',
    org: 'acme',
    tier: 'partner',
    list: [1, 2],
  });
  expect(out.trim()).not.toContain('\n');
});

test.each([['org', 'refuse'], ['refuse']])(
  'prints a refusal as one line and exits with code 1: %s',
  async (...words) => {
    expect(await run(...words)).toBe(1);
    expect([out, err.split('\n').length]).toEqual(['', 2]);
    expect(err).toMatch(
      /^tessera: (the file does not exist|An account with this email address exists\. .+)\n$/,
    );
  },
);

test('a defect is not reported as a refusal', async () => {
  await expect(run('break')).rejects.toThrow('a defect');
});

test.each([
  [],
  ['nonsense'],
  ['org'],
  ['org', 'nonsense'],
  ['org', 'set-tier', 'acme'],
  ['org', 'set-tier', 'acme', 'partner'],
  ['org', 'set-tier', 'acme', 'partner', 'more', '--reason', 'x'],
  ['org', 'set-tier', 'acme', 'partner', '--reason', 'x', '--unknown'],
  ['org', 'set-tier', 'acme', 'partner', '--reason'],
])('exits with code 2 on wrong usage, before a context is opened: %s %s %s %s', async (...words) => {
  opened = 0;
  expect(await run(...words.filter((word) => word !== undefined))).toBe(2);
  expect(opened).toBe(0);
  expect(err).not.toBe('');
});

test.each([['--help'], ['org', '--help'], ['org', 'set-tier', '--help']])(
  'prints help and exits with code 0: %s %s %s',
  async (...words) => {
    expect(await run(...words.filter((word) => word !== undefined))).toBe(0);
    expect(out).toMatch(/Usage: /);
  },
);

test('prints the summary of a result, and the complete result with --json', async () => {
  expect(await run('org', 'report')).toBe(0);
  expect(out).toBe('total: 2\n');
  out = '';
  expect(await run('org', 'report', '--json')).toBe(0);
  expect(JSON.parse(out)).toEqual({ total: 2, details: [1, 2] });
});

test('says in one line that the reader of the output has gone, which is no fault of the database', async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => {
    const error = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    process.nextTick(() => process.stdout.emit('error', error));
    return false;
  });
  expect(await run('org', 'report')).toBe(1);
  expect(err).toBe('tessera: nobody reads the output any more; it is not complete\n');
});

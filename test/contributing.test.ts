import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cleanUpAfterFile } from './clean-up.ts';

const root = path.dirname(import.meta.dirname);

/** A code block of CONTRIBUTING.md: its language, the file that it concerns, and its lines without the indentation of the list. */
type CodeBlock = { readonly language: string; readonly file: string; readonly lines: readonly string[] };

const document = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
const example = document.slice(
  document.indexOf('\n## Add an endpoint\n'),
  document.indexOf('\n## Add a field\n'),
);
const blocks = readCodeBlocks(example);
const fieldBlocks = readCodeBlocks(
  document.slice(document.indexOf('\n## Add a field\n'), document.indexOf('\n## Add a list\n')),
);

const listBlocks = readCodeBlocks(
  document.slice(document.indexOf('\n## Add a list\n'), document.indexOf('\n## Add an event\n')),
);

const eventBlocks = readCodeBlocks(
  document.slice(document.indexOf('\n## Add an event\n'), document.indexOf('\n## Further rules\n')),
);

it('CONTRIBUTING.md adds an endpoint in ten steps', () => {
  expect([...example.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 10 }, (_, index) => index + 1),
  );
  expect(blocks.map(({ file }) => file).filter(Boolean)).toEqual([
    'src/tables/api.ts',
    'test/access-matrix.ts',
    'src/modules/organisations/orgs/rules.ts',
    'src/modules/organisations/orgs/read-greeting.ts',
    'src/modules/organisations/orgs/index.ts',
    'src/modules/organisations/orgs/read-greeting.test.ts',
  ]);
  expect(blocks.map(({ language }) => language)).toEqual(['diff', 'diff', 'ts', 'ts', 'diff', 'ts', 'sh']);
});

it('CONTRIBUTING.md adds a field in three files', () => {
  const files = fieldBlocks.map(({ file }) => file);
  expect(files.filter((file) => !file.endsWith('.test.ts'))).toEqual([
    'src/modules/matching/jobs/resource.ts',
    'migrations/NEXT_job_employment_type.sql',
    'src/web/texts/organisation-jobs.ts',
  ]);
});

it('CONTRIBUTING.md adds a list in nine lines and three files, and the access matrix', () => {
  const [operation, ...others] = listBlocks.filter(({ file }) => !file.endsWith('.test.ts'));
  const { lines } = operation!;
  expect(lines.slice(lines.indexOf('export const listOpenJobs = listOperation({') + 1, -1)).toHaveLength(9);
  expect(others.map(({ file }) => file)).toEqual([
    'src/modules/matching/jobs/index.ts',
    'src/tables/api.ts',
    'test/access-matrix.ts',
  ]);
});

it('CONTRIBUTING.md adds an event in three files', () => {
  expect([...new Set(eventBlocks.map(({ file }) => file))]).toEqual([
    'src/modules/matching/matches/events.ts',
    'src/modules/operations/webhooks/sent-events.ts',
    'src/tables/events.ts',
  ]);
});

it(
  'the steps of CONTRIBUTING.md work as written, in a copy of the repository',
  { timeout: 900_000 },
  async () => {
    const copy = copyRepository();
    for (const block of [...blocks, ...fieldBlocks, ...listBlocks, ...eventBlocks])
      if (block.language === 'diff') applyDiff(copy, block);
      else if (block.language !== 'sh') addCode(copy, block);
    // The tests of the field, the list and the event run in the process of those of the endpoint, which saves a start.
    for (const line of blocks.find(({ language }) => language === 'sh')!.lines) {
      const command = line.startsWith('npx vitest run ')
        ? `${line} jobs/employment-type jobs/list-open-jobs webhooks/deliveries/list-events`
        : line;
      const { status, output } = await runCommand(copy, command);
      expect(status === 0 ? 'passed' : output.slice(-3_000)).toBe('passed');
    }
  },
);

function readCodeBlocks(text: string): readonly CodeBlock[] {
  return [...text.matchAll(/^( *)```(\w+) ?(\S*)\n((?:(?! *```).*\n)*) *```$/gm)].map(
    ([, indentation = '', language = '', file = '', content = '']) => ({
      language,
      file,
      lines: content
        .split('\n')
        .slice(0, -1)
        .map((line) => line.slice(indentation.length)),
    }),
  );
}

/** The folders of packages. The client has packages of its own. */
const packageFolders = ['node_modules', 'client/node_modules'];

/** Copies the files that git knows or would add, and links the packages. */
function copyRepository(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'tessera-contributing-'));
  cleanUpAfterFile(() => rmSync(copy, { recursive: true }));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const files = listed
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));
  for (const file of files) {
    mkdirSync(path.join(copy, path.dirname(file)), { recursive: true });
    copyFileSync(path.join(root, file), path.join(copy, file));
  }
  for (const folder of packageFolders) symlinkSync(path.join(root, folder), path.join(copy, folder));
  return copy;
}

/** Replaces the lines without `+`, which must appear exactly once in the file, by all lines. */
function applyDiff(copy: string, { file, lines }: CodeBlock): void {
  const before = lines.filter((line) => !line.startsWith('+')).map((line) => `${line.slice(1)}\n`);
  const after = lines.map((line) => `${line.slice(1)}\n`);
  const parts = readFileSync(path.join(copy, file), 'utf8').split(before.join(''));
  expect(parts, `${file} has the unchanged lines of the step once`).toHaveLength(2);
  writeFileSync(path.join(copy, file), parts.join(after.join('')));
}

/** Creates a file, or adds code at the end of one. */
function addCode(copy: string, { file, lines }: CodeBlock): void {
  const numbered = file.replace('NEXT', findNextMigration(copy));
  writeFileSync(path.join(copy, numbered), `${lines.join('\n')}\n`, { flag: 'a' });
}

function findNextMigration(copy: string): string {
  const { length } = readdirSync(path.join(copy, 'migrations')).filter((file) => file.endsWith('.sql'));
  return String(length + 1).padStart(4, '0');
}

/** Runs a command line in the copy. Its output is part of the result, for the message of a failure. */
function runCommand(copy: string, line: string): Promise<{ status: number | null; output: string }> {
  const { VITEST: _runsInside, ...environment } = process.env;
  const child = spawn('sh', ['-c', `${line} 2>&1`], { cwd: copy, env: environment });
  let output = `$ ${line}\n`;
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, output })));
}

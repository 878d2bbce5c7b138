import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import project from '../package.json' with { type: 'json' };

const root = path.dirname(import.meta.dirname);

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'STYLE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...listDocuments('docs'),
  ...listDocuments('docs/decisions'),
];

describe('README', () => {
  const lines = readLines('README.md');

  it('has fewer than 120 lines', () => {
    expect(lines.length).toBeLessThan(120);
  });

  it('shows within its first ten lines how to run the demonstration and the tests', () => {
    const beginning = lines.slice(0, 10).join('\n');
    expect(beginning).toContain('npm ci && npm run demo');
    expect(beginning).toContain('npm ci && npm test');
  });
});

describe('links', () => {
  it.each(documents)('of %s point to files and headings that exist', (document) => {
    expect(findBrokenLinks(document)).toEqual([]);
  });
});

it('a decision has the reason for every package', () => {
  const decisions = listDocuments('docs/decisions').map(readText).join('\n');
  const names = Object.keys({
    ...project.dependencies,
    ...project.devDependencies,
    ...project.optionalDependencies,
  });
  expect(names.length).toBeGreaterThan(50);
  const isExplained = (name: string) =>
    decisions.includes(`\`${name}\``) || decisions.includes(`\`${name.split('/', 1)[0]}/*\``);
  expect(names.filter((name) => !isExplained(name))).toEqual([]);
});

it('docs/asvs.md names tests that exist, each without doubt, and is short', () => {
  const text = readText('docs/asvs.md');
  const named = [...text.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(40);
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root });
  const countFiles = (name: string) => files.filter((file) => `/${file}`.endsWith(`/${name}`)).length;
  expect(named.filter((name) => countFiles(name) !== 1)).toEqual([]);
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(1_200);
});

it.each(listDocuments('docs/decisions'))('%s has at most 1,200 words', (file) => {
  expect(readText(file).trim().split(/\s+/).length).toBeLessThanOrEqual(1_200);
});

describe('docs/operating.md', () => {
  const text = readLines('docs/operating.md').join('\n');
  const documented = listVariables(text);
  const configured = listVariables(readText('src/platform/config.ts'));

  it('names every variable of the configuration', () => {
    expect(configured.size).toBeGreaterThan(20);
    expect([...configured].filter((name) => !documented.has(name))).toEqual([]);
  });

  it('names no variable that the service does not read, apart from those of OpenTelemetry', () => {
    const unknown = [...documented].filter((name) => !configured.has(name) && !name.startsWith('OTEL_'));
    expect(unknown).toEqual([]);
  });

  it('names a test that exists for every fault', () => {
    const faults = listFaults(text);
    expect(faults.length).toBeGreaterThan(15);
    expect(faults.flatMap(findMissingTests)).toEqual([]);
  });

  it('names every operator command', () => {
    const commands = listCommands();
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((command) => !isCommandNamed(text, command))).toEqual([]);
  });
});

describe('the checks of this file', () => {
  it.each([
    ['Safe retries: Idempotency-Key', 'safe-retries-idempotency-key'],
    ['Loading 100,000 members', 'loading-100000-members'],
    ['`TESSERA_ENV` and [links](docs/a.md)', 'tessera_env-and-links'],
  ])('derive the anchor of "%s"', (heading, anchor) => {
    expect(deriveAnchor(heading)).toBe(anchor);
  });

  it('miss a fault without a test, a file that does not exist, and a title that no test has', () => {
    const file = '`test/documents.test.ts`';
    expect(findMissingTests(`| a | b | c | ${file}: "names a test that", "names every operator" |`)).toEqual(
      [],
    );
    for (const cell of ['none', file, '`test/nothing.ts`: "names every"', `${file}: "names no fault at all"`])
      expect(findMissingTests(`| a | b | c | ${cell} |`)).toHaveLength(1);
  });

  it('take links from text, and neither from code nor from addresses elsewhere', () => {
    const text = '[a](b.md#c) `[d](e.md)` ![f](g.svg) [h](https://example.org)\n```\n[i](j.md)\n```\n[k](#l)';
    expect(listLinks(text.split('\n'))).toEqual(['b.md#c', 'g.svg', '#l']);
  });
});

function listDocuments(folder: string): string[] {
  return readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

function readText(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

function readLines(file: string): string[] {
  return readText(file).trimEnd().split('\n');
}

function findBrokenLinks(document: string): string[] {
  return listLinks(readLines(document)).filter((link) => !isLinkGood(document, link));
}

function isLinkGood(document: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? document : path.join(path.dirname(document), file);
  if (!existsSync(path.join(root, target))) return false;
  if (anchor === undefined) return true;
  return target.endsWith('.md') && statSync(path.join(root, target)).isFile() && hasHeading(target, anchor);
}

function hasHeading(document: string, anchor: string): boolean {
  return dropCodeBlocks(readLines(document))
    .filter((line) => line.startsWith('#'))
    .some((line) => deriveAnchor(line.slice(line.indexOf(' ') + 1)) === anchor);
}

/** The anchor that GitHub derives from a heading. It numbers repeated headings; none of them is linked here. */
function deriveAnchor(heading: string): string {
  const text = heading
    .split('](')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf(')') + 1)))
    .join('');
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** The targets of `[text](target)` within the project. */
function listLinks(lines: readonly string[]): string[] {
  return dropCodeBlocks(lines).flatMap((line) =>
    dropCode(line)
      .split('](')
      .slice(1)
      .map((part) => part.slice(0, part.indexOf(')')))
      .filter((target) => !target.includes('://') && !target.startsWith('mailto:')),
  );
}

function dropCodeBlocks(lines: readonly string[]): string[] {
  let isCode = false;
  return lines.filter((line) => {
    if (!line.startsWith('```')) return !isCode;
    isCode = !isCode;
    return false;
  });
}

/** Removes the text between backticks, which is every second part. */
function dropCode(line: string): string {
  return line
    .split('`')
    .filter((_, index) => index % 2 === 0)
    .join('');
}

function listVariables(text: string): Set<string> {
  const words = text.split(/[^A-Z0-9_]/).filter((word) => !word.endsWith('_'));
  return new Set(words.filter((word) => word.startsWith('TESSERA_') || word.startsWith('OTEL_')));
}

/** The rows of the table of faults. */
function listFaults(text: string): string[] {
  const section = text.split('\n## Faults\n')[1]!.split('\n## ')[0]!;
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
}

/** What a row names in its last cell, `file`: "beginning or part of a title", and does not exist. */
function findMissingTests(row: string): string[] {
  const cell = row.split(' | ').at(-1)!;
  const [, file = ''] = cell.split('`');
  const titles = cell.split('"').filter((_, index) => index % 2 === 1);
  if (file === '' || titles.length === 0 || !existsSync(path.join(root, file))) return [row];
  const known = listTitles(readText(file));
  return titles.filter((title) => !known.some((each) => each.includes(title)));
}

/** The first text of each line on which a test, or the title of a table of tests, begins. */
function listTitles(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:test\(|it\(|'|.*\)\(')/.test(line) && line.includes("'"))
    .map((line) => line.slice(line.indexOf("'") + 1, line.lastIndexOf("'")));
}

/** The words of each command of the table, without its arguments: `user suspend`. */
function listCommands(): string[] {
  return readText('src/tables/cli.ts')
    .split("usage: '")
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf("'")))
    .map((usage) =>
      usage
        .split(' ')
        .filter((word) => !word.startsWith('<'))
        .join(' '),
    );
}

function isCommandNamed(text: string, command: string): boolean {
  return text.includes(`\`${command}\``) || text.includes(`\`${command} `);
}

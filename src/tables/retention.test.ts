import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { retention, type Retention } from './retention.ts';
import { tables } from './tables.ts';
import { taskTable } from './tasks.ts';

const entries: readonly (readonly [string, Retention])[] = Object.entries(retention);

test('every table has a retention, or a reason why its rows are kept', () => {
  const owned = Object.values(tables).flatMap(({ owns }) => [...owns]);
  expect(entries.map(([table]) => table).toSorted()).toEqual(owned.toSorted());
  const texts = entries.map(([, rule]) => ('kept' in rule ? rule.kept : `${rule.deleted}.`));
  for (const text of texts) expect(text).toMatch(/^[A-Za-z0-9].{8,}[^.]\.$/);
});

test('every retention is enforced by a task that runs on a schedule', () => {
  const scheduled = taskTable.filter(({ every }) => every !== undefined).map(({ name }) => name);
  const tasks = entries.flatMap(([, rule]) => ('by' in rule ? [rule.by] : []));
  expect(tasks.length).toBeGreaterThan(15);
  expect(scheduled).toEqual(expect.arrayContaining(tasks));
});

test('every scheduled task that forgets something is in the table', () => {
  const forgetting = taskTable
    .filter(({ name }) => /\.(?:forget|cleanUp)/.test(name))
    .map(({ name }) => name);
  const tasks = entries.flatMap(([, rule]) => ('by' in rule ? [rule.by] : []));
  expect(tasks).toEqual(expect.arrayContaining(forgetting));
});

test('docs/retention.md has the same table', async () => {
  const text = await readFile(new URL('../../docs/retention.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('\n## Tables\n');
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(entries.map(formatRow));
});

function formatRow([table, rule]: readonly [string, Retention]): string {
  return 'kept' in rule
    ? `| \`${table}\` | kept | ${rule.kept} |`
    : `| \`${table}\` | ${rule.deleted} | \`${rule.by}\` |`;
}

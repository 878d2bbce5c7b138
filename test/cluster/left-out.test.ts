import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { leftOutFiles, leftOutTests } from './left-out.ts';

const root = path.join(import.meta.dirname, '../..');

test('what is left out on a distributed database exists', () => {
  for (const glob of Object.keys(leftOutFiles))
    expect([glob, globSync(glob, { cwd: root }).length > 0]).toEqual([glob, true]);
  for (const [file, tests] of Object.entries(leftOutTests)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const titles = [...text.matchAll(/\(\s*'([^']+)',\s+(?:async )?\(/g)].map(([, title]) => title!);
    const isTest = (name: string) => titles.some((title) => isNamedBy(name, title));
    expect(Object.keys(tests).filter((name) => !isTest(name))).toEqual([]);
  }
});

/** Whether a title gives this name to a test: `%s` stands for what `test.each` fills in. */
function isNamedBy(name: string, title: string): boolean {
  const [start, end] = title.split('%s') as [string, string?];
  return end === undefined ? name === title : name.startsWith(start) && name.endsWith(end);
}

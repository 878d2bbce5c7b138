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
    expect(Object.keys(tests).filter((name) => !text.includes(`test('${name}'`))).toEqual([]);
  }
});

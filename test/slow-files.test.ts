import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import config from '../vitest.config.ts';
import { slowFiles } from './slow-files.ts';
import { processFiles, timedFiles } from './timed-files.ts';

const root = path.dirname(import.meta.dirname);
const readSettings = (mode: string) => config({ mode, command: 'serve' }).test;

describe.each([
  ['slow files', slowFiles],
  ['files that start services', processFiles],
  ['timed files', timedFiles],
])('the list of %s', (_, files) => {
  it('names files that exist, in alphabetical order', () => {
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(files).toEqual(files.toSorted());
  });
});

it('leaves the slow files out of the fast run, and nothing out of the whole run', () => {
  expect(readSettings('fast')?.exclude).toEqual(slowFiles);
  const { exclude, projects } = readSettings('test') ?? {};
  expect(exclude).toBeUndefined();
  expect(projects).toMatchObject([
    { test: { include: readSettings('fast')?.include, exclude: [...processFiles, ...timedFiles] } },
    { test: { include: processFiles } },
    { test: { include: timedFiles } },
  ]);
});

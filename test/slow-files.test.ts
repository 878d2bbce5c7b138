import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import config from '../vitest.config.ts';
import { slowFiles } from './slow-files.ts';

const root = path.dirname(import.meta.dirname);

it('names files that exist, in alphabetical order', () => {
  expect(slowFiles.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  expect(slowFiles).toEqual(slowFiles.toSorted());
});

it('leaves these files out of the fast run, and nothing out of the whole run', () => {
  const readExcluded = (mode: string) => config({ mode, command: 'serve' }).test?.exclude;
  expect(readExcluded('fast')).toEqual(slowFiles);
  expect(readExcluded('test')).toBeUndefined();
});

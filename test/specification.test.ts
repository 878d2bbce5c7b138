import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { specification } from './specification.ts';

const original = path.join(import.meta.dirname, '../../shared/interface.md');

it('has the 76 REST rows, each once', () => {
  expect(new Set(specification.map(({ method, path: where }) => `${method} ${where}`)).size).toBe(76);
  expect(specification).toHaveLength(76);
});

it('is equal to the tables of the specification, in their order', ({ skip }) => {
  if (!existsSync(original)) skip('the specification is not next to this checkout (../shared/interface.md)');
  expect(specification).toEqual(readRows(readFileSync(original, 'utf8')));
});

function readRows(document: string) {
  const [, endpoints = ''] = /^## 4\. [^\n]*\n([\s\S]*?)^## 5\. /m.exec(document) ?? [];
  return endpoints.split(/^### /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'));
    const rows = part.matchAll(/^\| ([A-Z]+) \| (\S+) \| (\w+) \|/gm);
    return [...rows].map(([, method, where, auth]) => ({
      section,
      method,
      path: where,
      auth: auth?.toLowerCase(),
    }));
  });
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeAttachment } from './attachment.ts';

const describe = (filename: string) => describeAttachment('test.file', 'text/csv', filename);

test('a file is saved under its name', () => {
  expect(describe('tessera-matches-2026-03-02.csv')).toEqual({
    'content-type': 'text/csv',
    'content-disposition': 'attachment; filename="tessera-matches-2026-03-02.csv"',
  });
});

test.each([
  '',
  'a"; filename="b.exe',
  'a\r\nset-cookie: x=1',
  'Büro.csv',
  'a b.csv',
  '../a',
  'a\\b',
  'x'.repeat(101),
])('a name that needs escaping is a defect and reaches no header: %j', (filename) => {
  expect(() => describe(filename)).toThrow('unsafe name');
});

test('whatever a name is, the header has no character that ends it or its value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (filename) => {
      let header: string;
      try {
        header = describe(filename)['content-disposition'];
      } catch {
        return;
      }
      expect(header).toMatch(/^attachment; filename="[\w.-]+"$/);
    }),
  );
});

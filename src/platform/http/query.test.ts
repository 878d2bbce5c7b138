import fc from 'fast-check';
import querystring from 'node:querystring';
import { expect, test } from 'vitest';
import { readQuery } from './query.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 }).filter((each) => each.isWellFormed());
const name = fc.oneof(text, fc.constantFrom('a', '__proto__', 'constructor', 'toString'));

test('every query that is well encoded reads as Node reads it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, text)), fc.boolean(), (pairs, plus) => {
      const written = pairs
        .map(([field, value]) => `${encodeURIComponent(field)}=${encodeURIComponent(value)}`)
        .join('&')
        .replaceAll('%20', plus ? '+' : '%20');
      expect(readQuery(written)).toEqual(querystring.parse(written, '&', '=', { maxKeys: 0 }));
    }),
  );
});

test.each([
  ['', {}],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=b', { '': 'b' }],
  ['&&a=1&&', { a: '1' }],
  ['a=b=c', { a: 'b=c' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['a=%zz+%41', { a: '%zz %41' }],
  ['a=%ff', { a: '%ff' }],
])('%j is read, whatever it is', (written, fields) => {
  expect({ ...readQuery(written) }).toEqual(fields);
});

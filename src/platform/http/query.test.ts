import querystring from 'node:querystring';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readQuery } from './query.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 }).filter((each) => each.isWellFormed());
const name = fc.oneof(text, fc.constantFrom('a', '__proto__', 'constructor', 'toString'));

test('reads every well-encoded query like Node does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, text)), fc.boolean(), (pairs, plus) => {
      const query = pairs
        .map(([field, value]) => `${encodeURIComponent(field)}=${encodeURIComponent(value)}`)
        .join('&')
        .replaceAll('%20', plus ? '+' : '%20');
      expect(readQuery(query)).toEqual(querystring.parse(query, '&', '=', { maxKeys: 0 }));
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
])('reads the unusual query %j', (query, fields) => {
  expect({ ...readQuery(query) }).toEqual(fields);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideSearches } from './decide-searches.ts';

test('an id, an address and a name are recognised by their form', () => {
  expect(decideSearches(' ', true)).toEqual([{}]);
  expect(decideSearches('MBR-4H8T2WNC', true)).toEqual([{ identifier: 'MBR-4H8T2WNC' }]);
  expect(decideSearches(' ada@ex ', true)).toEqual([{ email: 'ada@ex' }]);
  expect(decideSearches('Ada', true)).toEqual([{ name: 'Ada' }, { email: 'Ada' }]);
  expect(decideSearches('Ada', false)).toEqual([{ email: 'Ada' }]);
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(decideSearches(id, true)).toEqual([{ identifier: id }]);
    }),
  );
});

test('no text is searched for as two kinds of the same thing', () => {
  fc.assert(
    fc.property(fc.string(), fc.boolean(), (text, by_name) => {
      const searches = decideSearches(text, by_name);
      expect(searches.every((search) => Object.keys(search).length <= 1)).toBe(true);
      expect(searches.some((search) => 'name' in search) && !by_name).toBe(false);
    }),
  );
});

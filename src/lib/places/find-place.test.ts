import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findPlace, proposePlaces } from './find-place.ts';
import { listSubdivisions, nameSubdivision } from './subdivisions.ts';

const [australia, france] = [listSubdivisions('AU'), listSubdivisions('FR')];

test('a place is found by its code and by its name, however it is typed', () => {
  const typed = ['nsw', ' New  south WALES ', 'new-south-wales', 'Victoria'];
  expect(typed.map((each) => findPlace(australia, each))).toEqual(['NSW', 'NSW', 'NSW', 'VIC']);
  expect(findPlace(france, 'ile de france')).toBe('IDF');
  expect(findPlace(france, 'cotes d’armor')).toBe('22');
  expect(findPlace([['US', 'United States']], 'the USA', { USA: 'US' })).toBe('US');
});

test('what is no place is not found, and names like it are proposed', () => {
  expect(['', 'the', 'Atlantis', 'constructor'].map((each) => findPlace(australia, each, {}))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
  expect(proposePlaces(australia, 'New South Whales')).toEqual(['New South Wales']);
  expect(proposePlaces(australia, 'queens')).toEqual(['Queensland']);
  expect([proposePlaces(australia, 'x'), proposePlaces(australia, 'Atlantis')]).toEqual([[], []]);
});

test('every state and region is found by its code and has one name in its country', () => {
  const code = fc.constantFrom('AU', 'DE', 'FR', 'GB', 'IN', 'JP', 'NZ', 'US', 'SG', 'BR');
  fc.assert(
    fc.property(code, (country) => {
      const places = listSubdivisions(country);
      expect(new Set(places.map(([, name]) => name)).size).toBe(places.length);
      for (const [each, name] of places) {
        expect(each).toMatch(/^[A-Z0-9]{1,3}$/);
        expect([findPlace(places, each), nameSubdivision(country, each)]).toEqual([each, name]);
      }
    }),
  );
});

test('an unknown code stays a code, and a country without states has none', () => {
  expect([nameSubdivision('AU', 'ZZ'), nameSubdivision('__proto__', 'x')]).toEqual(['ZZ', 'x']);
  expect([listSubdivisions('VA'), listSubdivisions('constructor')]).toEqual([[], []]);
});

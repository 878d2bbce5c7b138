import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { traitCodes } from '#modules/traits';
import { proves } from '#test/requirements.ts';
import { assertSalary, asTraitPriorities, beginningsOf } from './rules.ts';

const priority = fc.double({ min: 0, max: 1, noNaN: true });

const maps = fc.dictionary(fc.constantFrom(...traitCodes), priority);
const isAboveZero = (map: Record<string, number>) => Object.values(map).some((number) => number > 0);

test('every map from MVP-20 codes to numbers is a job’s priorities, as soon as one is above zero', () => {
  proves('trait-job-codes-validated-against-mvp-20', 'job-trait-priorities-is-code-to-number-map');
  fc.assert(
    fc.property(maps.filter(isAboveZero), (map) => {
      expect(asTraitPriorities(map)).toEqual(map);
    }),
  );
});

test('a map of nothing but zeros asks for nothing, and is refused', () => {
  const zeros = fc.dictionary(fc.constantFrom(...traitCodes), fc.constant(0));
  fc.assert(
    fc.property(zeros, (map) => {
      expect(refusalOf(() => asTraitPriorities(map)).code).toBe('trait_priorities_empty');
    }),
  );
});

test('a key that is no trait is named, whatever else the map holds', () => {
  const keys = fc.string().filter((key) => !traitCodes.some((code) => code === key) && key !== '__proto__');
  fc.assert(
    fc.property(keys, priority, (key, number) => {
      const { code, extras } = refusalOf(() => asTraitPriorities({ persistence: 1, [key]: number }));
      expect(code).toBe('trait_code_unknown');
      expect(extras.errors?.map(({ pointer }) => fromPointer(pointer))).toEqual([key]);
    }),
  );
});

test('names that objects inherit are no trait codes', () => {
  for (const key of ['constructor', 'toString', 'hasOwnProperty'])
    expect(refusalOf(() => asTraitPriorities({ [key]: 1 })).code).toBe('trait_code_unknown');
});

test('a salary range has a currency and is not upside down', () => {
  const amounts = fc.option(fc.integer({ min: 0, max: 1_000_000_000 }));
  const currencies = fc.constantFrom(null, 'AUD', 'EUR');
  fc.assert(
    fc.property(amounts, amounts, currencies, (salary_min, salary_max, salary_currency) => {
      const pointers = pointersOf(() => assertSalary({ salary_min, salary_max, salary_currency }));
      const upsideDown = salary_min !== null && salary_max !== null && salary_max < salary_min;
      const bare = salary_currency === null && (salary_min !== null || salary_max !== null);
      expect(pointers).toEqual(upsideDown ? ['/salary_max'] : bare ? ['/salary_currency'] : []);
    }),
  );
});

test('a search text gives the beginnings of its words, and none where it uses operators', () => {
  expect(beginningsOf('nurs')).toBe("'nurs':*");
  expect(beginningsOf('  Café, night & day!')).toBe("'Café':* & 'night':* & 'day':*");
  expect(beginningsOf('full-time')).toBe("'full':* & 'time':*");
  expect(['"night nurse"', 'nurse -night', '-night', '', ' ?!', "'"].map(beginningsOf)).toEqual([
    '',
    '',
    '',
    '',
    '',
    '',
  ]);
});

function refusalOf(run: () => unknown): Refusal {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function pointersOf(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    return (error as Refusal).extras.errors?.map(({ pointer }) => pointer) ?? [];
  }
}

function fromPointer(pointer: string): string {
  return pointer.slice('/trait_priorities/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
}

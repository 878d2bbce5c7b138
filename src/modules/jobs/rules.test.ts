import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { traitCodes } from '#modules/traits';
import { proves } from '#test/requirements.ts';
import {
  checkConstraints,
  checkSalary,
  parseTraitPriorities,
  buildPrefixQuery,
  listChangedFields,
  jobStatuses,
  findChangeEvent,
  patchJob,
  type JobFields,
} from './rules.ts';

const priority = fc.double({ min: 0, max: 1, noNaN: true });

const maps = fc.dictionary(fc.constantFrom(...traitCodes), priority);
const isAboveZero = (map: Record<string, number>) => Object.values(map).some((number) => number > 0);

test('every map from MVP-20 codes to numbers is a job’s priorities, as soon as one is above zero', () => {
  proves('trait-job-codes-validated-against-mvp-20', 'job-trait-priorities-is-code-to-number-map');
  fc.assert(
    fc.property(maps.filter(isAboveZero), (map) => {
      expect(parseTraitPriorities(map)).toEqual(map);
    }),
  );
});

test('a map of nothing but zeros asks for nothing, and is refused', () => {
  const zeros = fc.dictionary(fc.constantFrom(...traitCodes), fc.constant(0));
  fc.assert(
    fc.property(zeros, (map) => {
      expect(refusalOf(() => parseTraitPriorities(map)).code).toBe('trait_priorities_empty');
    }),
  );
});

test('a key that is no trait is named, whatever else the map holds', () => {
  const keys = fc.string().filter((key) => !traitCodes.some((code) => code === key) && key !== '__proto__');
  fc.assert(
    fc.property(keys, priority, (key, number) => {
      const { code, extras } = refusalOf(() => parseTraitPriorities({ persistence: 1, [key]: number }));
      expect(code).toBe('trait_code_unknown');
      expect(extras.errors?.map(({ pointer }) => fromPointer(pointer))).toEqual([key]);
    }),
  );
});

test('names that objects inherit are no trait codes', () => {
  for (const key of ['constructor', 'toString', 'hasOwnProperty'])
    expect(refusalOf(() => parseTraitPriorities({ [key]: 1 })).code).toBe('trait_code_unknown');
});

test('a salary range has a currency and is not upside down', () => {
  const amounts = fc.option(fc.integer({ min: 0, max: 1_000_000_000 }));
  const currencies = fc.constantFrom(null, 'AUD', 'EUR');
  fc.assert(
    fc.property(amounts, amounts, currencies, (salary_min, salary_max, salary_currency) => {
      const pointers = pointersOf(() => checkSalary({ salary_min, salary_max, salary_currency }));
      const upsideDown = salary_min !== null && salary_max !== null && salary_max < salary_min;
      const bare = salary_currency === null && (salary_min !== null || salary_max !== null);
      expect(pointers).toEqual(upsideDown ? ['/salary_max'] : bare ? ['/salary_currency'] : []);
    }),
  );
});

test('a search text gives the beginnings of its words, and none where it uses operators', () => {
  expect(buildPrefixQuery('nurs')).toBe("'nurs':*");
  expect(buildPrefixQuery('  Café, night & day!')).toBe("'Café':* & 'night':* & 'day':*");
  expect(buildPrefixQuery('full-time')).toBe("'full':* & 'time':*");
  expect(['"night nurse"', 'nurse -night', '-night', '', ' ?!', "'"].map(buildPrefixQuery)).toEqual([
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

const job: JobFields = {
  title: 'Night nurse',
  outcome_description: 'Patients sleep safely.',
  status: 'active',
  clearance_required: 'none',
  remote_policy: 'onsite',
  trait_priorities: { persistence: 1 },
  constraints: { location_countries: ['AU'] },
  salary_min: 50_000,
  salary_max: 60_000,
  salary_currency: 'AUD',
};

const patches: fc.Arbitrary<Partial<JobFields>> = fc.record(
  {
    title: fc.constantFrom('Night nurse', 'Day nurse'),
    outcome_description: fc.constantFrom('Patients sleep safely.', 'Everybody is well.'),
    status: fc.constantFrom(...jobStatuses),
    trait_priorities: maps.filter(isAboveZero),
    constraints: fc.constantFrom({}, { location_countries: ['AU'] }, { years_experience_min: 2 }),
    salary_max: fc.constantFrom(null, 60_000, 90_000),
  },
  { requiredKeys: [] },
);

test('a change sets what it names and keeps the rest; made twice, it changes nothing the second time', () => {
  proves('job-patch-accepts-partial-fields');
  fc.assert(
    fc.property(patches, (patch) => {
      const changed = patchJob(job, patch);
      expect(changed).toEqual({ ...job, ...patch });
      expect(listChangedFields(job, changed).every((field) => field in patch)).toBe(true);
      expect(listChangedFields(changed, patchJob(changed, patch))).toEqual([]);
    }),
  );
});

test('matching hears of a change when a job closes, opens, or asks for something else while it is open', () => {
  fc.assert(
    fc.property(fc.constantFrom(...jobStatuses), patches, (status, patch) => {
      const before = { ...job, status };
      const after = patchJob(before, patch);
      const asksElse = listChangedFields(before, after).some(
        (field) => !['title', 'outcome_description', 'status'].includes(field),
      );
      const moved = before.status !== after.status;
      const expected =
        after.status === 'active'
          ? (moved && 'job.activated') || (asksElse && 'job.changed') || undefined
          : moved && after.status === 'closed'
            ? 'job.closed'
            : undefined;
      expect(findChangeEvent(before, after)).toBe(expected);
    }),
  );
});

test('states need the one country that they are of', () => {
  const wrong = [{}, { location_countries: ['AU', 'NR'] }];
  for (const where of wrong)
    expect(refusalOf(() => checkConstraints({ ...where, location_states: ['NSW'] })).code).toBe(
      'field_invalid',
    );
  checkConstraints({ location_countries: ['AU'], location_states: ['NSW'] });
});

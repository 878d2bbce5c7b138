import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { traitCodes } from '#modules/measurement/traits';
import { proves } from '#test/requirements.ts';
import {
  checkConstraints,
  checkSalary,
  parseTraitPriorities,
  buildPrefixQuery,
  listChangedFields,
  findChangeEvent,
  hasNewRequirements,
  patchJob,
  mayChangeRequirements,
} from './rules.ts';
import { jobStatuses } from './field-schemas.ts';
import { jobResource, type JobFields } from './resource.ts';

const priority = fc.double({ min: 0, max: 1, noNaN: true });

const maps = fc.dictionary(fc.constantFrom(...traitCodes), priority);
const isAboveZero = (map: Record<string, number>) => Object.values(map).some((number) => number > 0);

test('accepts every map from MVP-20 codes to numbers in which at least one is above zero', () => {
  proves('trait-job-codes-validated-against-mvp-20', 'job-trait-priorities-is-code-to-number-map');
  fc.assert(
    fc.property(maps.filter(isAboveZero), (map) => {
      expect(parseTraitPriorities(map)).toEqual(map);
    }),
  );
});

test('rejects a map that contains only zeros', () => {
  const zeros = fc.dictionary(fc.constantFrom(...traitCodes), fc.constant(0));
  fc.assert(
    fc.property(zeros, (map) => {
      expect(catchRefusal(() => parseTraitPriorities(map)).code).toBe('trait_priorities_empty');
    }),
  );
});

test('names every key that is not a trait code', () => {
  const keys = fc.string().filter((key) => !traitCodes.some((code) => code === key) && key !== '__proto__');
  fc.assert(
    fc.property(keys, priority, (key, number) => {
      const { code, extras } = catchRefusal(() => parseTraitPriorities({ persistence: 1, [key]: number }));
      expect(code).toBe('trait_code_unknown');
      expect(extras.errors?.map(({ pointer }) => parseKey(pointer))).toEqual([key]);
    }),
  );
});

test('rejects names of inherited object properties as trait codes', () => {
  for (const key of ['constructor', 'toString', 'hasOwnProperty'])
    expect(catchRefusal(() => parseTraitPriorities({ [key]: 1 })).code).toBe('trait_code_unknown');
});

test('requires a currency for a salary range and a maximum not below the minimum', () => {
  const amounts = fc.option(fc.integer({ min: 0, max: 1_000_000_000 }));
  const currencies = fc.constantFrom(null, 'AUD', 'EUR');
  fc.assert(
    fc.property(amounts, amounts, currencies, (salary_min, salary_max, salary_currency) => {
      const pointers = catchPointers(() => checkSalary({ salary_min, salary_max, salary_currency }));
      const isReversed = salary_min !== null && salary_max !== null && salary_max < salary_min;
      const lacksCurrency = salary_currency === null && (salary_min !== null || salary_max !== null);
      expect(pointers).toEqual([
        ...(isReversed ? ['/salary_max'] : []),
        ...(lacksCurrency ? ['/salary_currency'] : []),
      ]);
    }),
  );
});

test('turns a search text into word prefixes, except when it uses operators', () => {
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

function catchRefusal(run: () => unknown): Refusal {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function catchPointers(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.extras.errors?.map(({ pointer }) => pointer) ?? [];
  }
}

function parseKey(pointer: string): string {
  return pointer.slice('/trait_priorities/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
}

const job: JobFields = {
  ...jobResource.complete({ title: '', outcome_description: '', trait_priorities: {} }),
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
  occupation_code: null,
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

test('a patch sets the fields it names and no others; applying it again changes nothing', () => {
  proves('job-patch-accepts-partial-fields');
  fc.assert(
    fc.property(patches, (patch) => {
      const patchedJob = patchJob(job, patch);
      expect(patchedJob).toEqual({ ...job, ...patch });
      expect(listChangedFields(job, patchedJob).every((field) => field in patch)).toBe(true);
      expect(listChangedFields(patchedJob, patchJob(patchedJob, patch))).toEqual([]);
    }),
  );
});

test('a patch without requirements never adds a version', () => {
  fc.assert(
    fc.property(patches, (patch) => {
      const isNewVersion = hasNewRequirements(job, patchJob(job, patch));
      expect(mayChangeRequirements(patch) || !isNewVersion).toBe(true);
    }),
  );
  expect(mayChangeRequirements({ title: 'Day nurse', status: 'active' })).toBe(false);
});

test('finds an event when a job closes, becomes active, or changes its requirements while active', () => {
  fc.assert(
    fc.property(fc.constantFrom(...jobStatuses), patches, (status, patch) => {
      const before = { ...job, status };
      const after = patchJob(before, patch);
      const requirementsChanged = listChangedFields(before, after).some(
        (field) => !['title', 'outcome_description', 'status'].includes(field),
      );
      const statusChanged = before.status !== after.status;
      const expected =
        after.status === 'active'
          ? (statusChanged && 'job.activated') || (requirementsChanged && 'job.changed') || undefined
          : statusChanged && after.status === 'closed'
            ? 'job.closed'
            : undefined;
      expect(findChangeEvent(before, after)).toBe(expected);
    }),
  );
});

test('requires exactly one country when states are given', () => {
  const withoutOneCountry = [{}, { location_countries: ['AU', 'NR'] }];
  for (const constraints of withoutOneCountry)
    expect(catchRefusal(() => checkConstraints({ ...constraints, location_states: ['NSW'] })).code).toBe(
      'field_invalid',
    );
  checkConstraints({ location_countries: ['AU'], location_states: ['NSW'] });
});

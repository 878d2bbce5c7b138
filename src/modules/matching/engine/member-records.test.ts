import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clearances, remotePolicies } from '#modules/matching/jobs';
import { educationLevels } from '#modules/people/members';
import { arbitraryVector } from '#test/modules/random-population.ts';
import {
  clearRecord,
  createMemberRecords,
  moveRecord,
  readRecord,
  record_bytes,
  writeRecord,
} from './member-records.ts';

const points = fc.integer({ min: 0, max: 100 });

/** Everything that the profile and the preferences of a member can contain. */
const arbitraryRecord = fc.record({
  mean: arbitraryVector.map(({ mean }) => mean),
  variance: arbitraryVector.map(({ variance }) => variance),
  provisional: fc.boolean(),
  terms: fc.record({
    clearance_held: fc.constantFrom(...clearances),
    remote_policies: fc.option(fc.shuffledSubarray([...remotePolicies], { minLength: 1 })),
    location_country: fc.option(fc.stringMatching(/^[A-Z]{2}$/)),
    location_state: fc.option(fc.stringMatching(/^[A-Z0-9]{1,3}$/)),
    years_experience: fc.option(fc.integer({ min: 0, max: 80 })),
    education_level: fc.option(fc.constantFrom(...educationLevels)),
    salary_min: fc.option(fc.integer({ min: 0, max: 1_000_000_000 })),
    salary_currency: fc.option(fc.stringMatching(/^[A-Z]{3}$/)),
    values: fc.option(fc.record({ clan: points, adhocracy: points, market: points, hierarchy: points })),
  }),
});

const read = (records: ReturnType<typeof createMemberRecords>, position: number) => {
  const { mean, variance, ...others } = readRecord(records, position);
  return { mean: [...mean], variance: [...variance], ...others };
};

test('a record is read exactly as it was written, after others were written, moved and cleared', () => {
  fc.assert(
    fc.property(fc.tuple(arbitraryRecord, arbitraryRecord, arbitraryRecord), ([first, second, third]) => {
      const records = createMemberRecords();
      for (const [position, each] of [third, first, second].entries()) writeRecord(records, position, each);
      writeRecord(records, 0, second);
      expect([0, 1, 2].map((position) => read(records, position))).toEqual([second, first, second]);
      moveRecord(records, 1, 2);
      clearRecord(records, 1);
      expect([0, 2].map((position) => read(records, position))).toEqual([second, first]);
      expect(new Set([...readRecord(records, 1).mean, ...readRecord(records, 1).variance])).toEqual(
        new Set([0]),
      );
    }),
  );
});

test('a record takes 176 bytes', () => {
  expect(record_bytes).toBe(176);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clearances } from '#modules/matching/jobs';
import { educationLevels } from '#modules/people/members';
import { areCompatible, defaultPreferences } from '#modules/matching/engine';
import { listRequirements } from './rules.ts';

const country = fc.constantFrom('AU', 'NZ', 'DE');
const state = fc.constantFrom('NSW', 'VIC');
const list = (of: fc.Arbitrary<string>) => fc.uniqueArray(of, { minLength: 1 });

const constraintsArbitrary = fc.record(
  {
    location_countries: list(country),
    location_states: list(state),
    years_experience_min: fc.integer({ min: 0, max: 10 }),
    education_level_min: fc.constantFrom(...educationLevels),
  },
  { requiredKeys: [] },
);

const factsArbitrary = fc.record({
  location_country: fc.option(country),
  location_state: fc.option(state),
  years_experience: fc.option(fc.integer({ min: 0, max: 10 })),
  education_level: fc.option(fc.constantFrom(...educationLevels)),
  clearance_held: fc.constantFrom(...clearances),
});

test('all requirements are met if and only if matching accepts the member for the job', () => {
  const property = fc.property(
    constraintsArbitrary,
    fc.constantFrom(...clearances),
    factsArbitrary,
    (constraints, clearance_required, facts) => {
      const offer = {
        remote_policy: 'onsite',
        salary_min: null,
        salary_max: null,
        salary_currency: null,
        values: null,
      } as const;
      const compatible = areCompatible(
        { ...offer, constraints, clearance_required },
        { ...defaultPreferences, ...facts },
      );
      const requirements = listRequirements({ constraints, clearance_required }, facts);
      expect(requirements.every(({ met }) => met)).toBe(compatible);
      const asked = Object.keys(constraints).length + (clearance_required === 'none' ? 0 : 1);
      expect(requirements).toHaveLength(asked);
    },
  );
  fc.assert(property, { numRuns: 500 });
});

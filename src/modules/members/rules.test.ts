import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  accountStatuses,
  assessmentPhases,
  conditions,
  educationLevels,
  computeEngagementLevel,
  isDeployed,
  levelNames,
  listMissingConditions,
  type ConditionCode,
  type EngagementFacts,
} from './rules.ts';
import { proves } from '#test/requirements.ts';

const whole = {
  account_status: 'active',
  email_verified: true,
  assessment_consented: true,
  assessment_phase: 'complete',
  matching_consented: true,
  current_industry: 'health',
  years_experience: 0,
  education_level: 'none',
  location_country: 'AU',
  location_state: null,
} as const;

/** What each condition needs, as the change that breaks it. */
const broken = {
  account_active: { account_status: 'suspended' },
  email_verified: { email_verified: false },
  assessment_data_consented: { assessment_consented: false },
  assessment_complete: { assessment_phase: 'in_progress' },
  matching_consented: { matching_consented: false },
  current_industry_given: { current_industry: null },
  years_experience_given: { years_experience: null },
  education_level_given: { education_level: null },
  location_country_given: { location_country: null },
} as const satisfies Record<ConditionCode, object>;

const someFacts: fc.Arbitrary<EngagementFacts> = fc.record({
  account_status: fc.constantFrom(...accountStatuses),
  email_verified: fc.boolean(),
  assessment_consented: fc.boolean(),
  assessment_phase: fc.constantFrom(...assessmentPhases),
  matching_consented: fc.boolean(),
  current_industry: fc.option(fc.constant('health')),
  years_experience: fc.option(fc.nat({ max: 80 })),
  education_level: fc.option(fc.constantFrom(...educationLevels)),
  location_country: fc.option(fc.constant('AU')),
  location_state: fc.option(fc.constant('NSW')),
});

test('with every condition met a member is at level 4, Deployed; no experience and no education are answers too', () => {
  proves('member-engagement-level-4-is-deployed');
  expect(computeEngagementLevel(whole)).toBe(4);
  expect(levelNames[4]).toBe('Deployed');
  expect(listMissingConditions(whole)).toEqual([]);
});

test('level 3 is where everything but the profile and the consent to matching is there', () => {
  proves('member-engagement-level-3-exists');
  expect(computeEngagementLevel({ ...whole, matching_consented: false, current_industry: null })).toBe(3);
});

test.each(Object.entries(broken))(
  'without %s a member is just below that condition’s level, and is told so',
  (code, change) => {
    const facts = { ...whole, ...change };
    const condition = conditions[code as ConditionCode];
    expect(computeEngagementLevel(facts)).toBe(condition.level - 1);
    expect(listMissingConditions(facts)).toEqual([code]);
  },
);

test('something is missing exactly below level 4, and it belongs to the next level', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      const level = computeEngagementLevel(facts);
      const missing = listMissingConditions(facts);
      expect(missing.length === 0).toBe(level === 4);
      expect(missing.every((code) => conditions[code].level === level + 1)).toBe(true);
      expect(isDeployed(facts)).toBe(level === 4);
    }),
  );
});

test('meeting what is missing raises the level, and no fact that becomes true ever lowers it', () => {
  fc.assert(
    fc.property(someFacts, fc.subarray(Object.keys(broken) as ConditionCode[]), (facts, met) => {
      const meeting = (codes: readonly ConditionCode[]) => {
        const fields = codes.flatMap((code) => Object.keys(broken[code])) as (keyof typeof whole)[];
        return { ...facts, ...Object.fromEntries(fields.map((field) => [field, whole[field]])) };
      };
      expect(computeEngagementLevel(meeting(met))).toBeGreaterThanOrEqual(computeEngagementLevel(facts));
      const raised =
        computeEngagementLevel(meeting(listMissingConditions(facts))) > computeEngagementLevel(facts);
      expect(raised).toBe(!isDeployed(facts));
    }),
  );
});

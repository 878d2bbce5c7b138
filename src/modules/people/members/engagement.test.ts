import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proves } from '#test/requirements.ts';
import {
  accountStatuses,
  assessmentPhases,
  conditions,
  computeEngagementLevel,
  isDeployed,
  levelNames,
  listMissingConditions,
  type ConditionCode,
  type EngagementFacts,
} from './engagement.ts';
import { educationLevels } from './profile-fields.ts';

const completeFacts = {
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

/** For each condition, the change that breaks it. */
const breakingChanges = {
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

test('a member who meets every condition is at level 4, Deployed, even with no experience and no education', () => {
  proves('member-engagement-level-4-is-deployed');
  expect(computeEngagementLevel(completeFacts)).toBe(4);
  expect(levelNames[4]).toBe('Deployed');
  expect(listMissingConditions(completeFacts)).toEqual([]);
});

test('a member who lacks only the profile and the consent to matching is at level 3', () => {
  proves('member-engagement-level-3-exists');
  expect(
    computeEngagementLevel({ ...completeFacts, matching_consented: false, current_industry: null }),
  ).toBe(3);
});

test.each(Object.entries(breakingChanges))(
  'a member without %s is one level below that condition, which is listed as missing',
  (code, change) => {
    const facts = { ...completeFacts, ...change };
    const condition = conditions[code as ConditionCode];
    expect(computeEngagementLevel(facts)).toBe(condition.level - 1);
    expect(listMissingConditions(facts)).toEqual([code]);
  },
);

test('conditions are missing only below level 4, and all of them belong to the next level', () => {
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

test('meeting all missing conditions raises the level, and meeting any condition never lowers it', () => {
  fc.assert(
    fc.property(someFacts, fc.subarray(Object.keys(breakingChanges) as ConditionCode[]), (facts, met) => {
      const meetConditions = (codes: readonly ConditionCode[]) => {
        const fields = codes.flatMap((code) =>
          Object.keys(breakingChanges[code]),
        ) as (keyof typeof completeFacts)[];
        return { ...facts, ...Object.fromEntries(fields.map((field) => [field, completeFacts[field]])) };
      };
      expect(computeEngagementLevel(meetConditions(met))).toBeGreaterThanOrEqual(
        computeEngagementLevel(facts),
      );
      const isRaised =
        computeEngagementLevel(meetConditions(listMissingConditions(facts))) > computeEngagementLevel(facts);
      expect(isRaised).toBe(!isDeployed(facts));
    }),
  );
});

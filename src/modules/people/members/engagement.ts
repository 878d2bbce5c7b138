import type { Profile } from './profile-fields.ts';

export const accountStatuses = ['active', 'suspended', 'pending_deletion'] as const;

export const assessmentPhases = ['not_started', 'in_progress', 'complete'] as const;

export type AssessmentPhase = (typeof assessmentPhases)[number];

/** Everything that decides the engagement level. */
export type EngagementFacts = Profile & {
  readonly account_status: (typeof accountStatuses)[number];
  readonly email_verified: boolean;
  readonly assessment_consented: boolean;
  readonly assessment_phase: AssessmentPhase;
  readonly matching_consented: boolean;
};

export type EngagementLevel = 1 | 2 | 3 | 4;

/** The names of the levels. A member at 1 has an account, at 2 may be measured, at 3 is measured, at 4 is matched with jobs. */
export const levelNames = { 1: 'Explorer', 2: 'Learner', 3: 'Augmented', 4: 'Deployed' } as const;

type Condition = {
  readonly level: EngagementLevel;
  readonly sentence: string;
  readonly isMet: (facts: EngagementFacts) => boolean;
};

/** What each level requires in addition to the one below. The view `deployed_members` states the same in SQL; a test compares the two. */
export const conditions = {
  account_active: {
    level: 2,
    sentence: 'Your account must be active.',
    isMet: ({ account_status }) => account_status === 'active',
  },
  email_verified: {
    level: 2,
    sentence: 'Verify your email address with the link that was emailed to you.',
    isMet: ({ email_verified }) => email_verified,
  },
  assessment_data_consented: {
    level: 2,
    sentence: 'Consent to assessment_data, so that you can be measured.',
    isMet: ({ assessment_consented }) => assessment_consented,
  },
  assessment_complete: {
    level: 3,
    sentence: 'Complete the assessment.',
    isMet: ({ assessment_phase }) => assessment_phase === 'complete',
  },
  matching_consented: {
    level: 4,
    sentence: 'Consent to matching, so that jobs can find you.',
    isMet: ({ matching_consented }) => matching_consented,
  },
  current_industry_given: {
    level: 4,
    sentence: 'Fill in current_industry in your profile.',
    isMet: ({ current_industry }) => current_industry !== null,
  },
  years_experience_given: {
    level: 4,
    sentence: 'Fill in years_experience in your profile.',
    isMet: ({ years_experience }) => years_experience !== null,
  },
  education_level_given: {
    level: 4,
    sentence: 'Fill in education_level in your profile.',
    isMet: ({ education_level }) => education_level !== null,
  },
  location_country_given: {
    level: 4,
    sentence: 'Fill in location_country in your profile.',
    isMet: ({ location_country }) => location_country !== null,
  },
} as const satisfies Readonly<Record<string, Condition>>;

export type ConditionCode = keyof typeof conditions;

/** `Object.keys` is typed as `string[]` for every object. */
export const conditionCodes = Object.keys(conditions) as ConditionCode[];

/** Computes the highest level whose conditions, and those of all levels below it, are met. */
export function computeEngagementLevel(facts: EngagementFacts): EngagementLevel {
  const unmet = conditionCodes.map((code) => conditions[code]).filter(({ isMet }) => !isMet(facts));
  const highest = ([4, 3, 2] as const).find((level) => unmet.every((condition) => condition.level > level));
  return highest ?? 1;
}

/** Lists the conditions of the next level that are not met; none at level 4. */
export function listMissingConditions(facts: EngagementFacts): readonly ConditionCode[] {
  const next = computeEngagementLevel(facts) + 1;
  return conditionCodes.filter((code) => conditions[code].level === next && !conditions[code].isMet(facts));
}

/** Whether the member's matches may continue. A profile that is incomplete only pauses them; a withdrawn consent or a deletion ends them. */
export function mayKeepMatches(facts: EngagementFacts): boolean {
  return (
    facts.account_status !== 'pending_deletion' && facts.assessment_consented && facts.matching_consented
  );
}

/** Whether the member is at level 4: matched with jobs. */
export function isDeployed(facts: EngagementFacts): boolean {
  return computeEngagementLevel(facts) === 4;
}

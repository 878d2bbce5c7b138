import { clearances, type Clearance, type JobConstraints } from '#modules/matching/jobs';
import { educationLevels, mayKeepMatches, type Member } from '#modules/people/members';
import type { MemberTerms } from '#modules/matching/engine';
import type { MatchStatus } from '../rules.ts';
import {
  clearanceSentences,
  educationSentences,
  formatCountries,
  formatExperience,
  formatStates,
} from './requirement-sentences.ts';

/** What each side receives when the member accepts. The schema of the contact is built from these names. */
export const revealedFields = {
  member: ['display_name', 'email', 'note'],
  organisation: ['name', 'contact_name', 'contact_email', 'note'],
} as const;

/** The statuses in which both sides may share how to reach each other. */
export const sharingStatuses: ReadonlySet<MatchStatus> = new Set(['member_accepted', 'placed']);

/**
 * Decides whether the two sides of a match may see how to reach each other: after the member has accepted, until the match ends. A member
 * who withdrew a consent or whose account is not active shares nothing, even before the tasks that end the matches have run.
 */
export function isContactShared(status: MatchStatus, member: Member): boolean {
  return sharingStatuses.has(status) && member.account_status === 'active' && mayKeepMatches(member);
}

const openStatuses: ReadonlySet<MatchStatus> = new Set([
  'pending_review',
  'org_interested',
  'member_accepted',
  'placed',
]);

/** Decides whether the organisation of a match may see which requirements the member meets. */
export function mayReadRequirements(status: MatchStatus, member: Member): boolean {
  return openStatuses.has(status) && member.account_status === 'active' && mayKeepMatches(member);
}

/** What a job asks for apart from traits. */
export type JobRequirements = {
  readonly clearance_required: Clearance;
  readonly constraints: JobConstraints;
};

/** The requirements that a job can have, in the order of the reply. */
export const requirementNames = [
  'location_countries',
  'location_states',
  'years_experience_min',
  'education_level_min',
  'clearance_required',
] as const;

/** A requirement of a job in words, and whether the member meets it. */
export type Requirement = {
  readonly requirement: (typeof requirementNames)[number];
  readonly asked: string;
  readonly met: boolean;
};

export type MemberFacts = Pick<
  MemberTerms,
  'location_country' | 'location_state' | 'years_experience' | 'education_level' | 'clearance_held'
>;

/** Lists the requirements that a job has, and which of them the member meets. A fact that the job did not ask for is not in the list. */
export function listRequirements(
  { clearance_required, constraints }: JobRequirements,
  facts: MemberFacts,
): readonly Requirement[] {
  const { location_countries, location_states, years_experience_min, education_level_min } = constraints;
  return [
    location_countries && {
      requirement: 'location_countries' as const,
      asked: formatCountries(location_countries),
      met: isAmong(facts.location_country, location_countries),
    },
    location_states && {
      requirement: 'location_states' as const,
      asked: formatStates(location_countries?.[0] ?? '', location_states),
      met: isAmong(facts.location_state, location_states),
    },
    years_experience_min !== undefined && {
      requirement: 'years_experience_min' as const,
      asked: formatExperience(years_experience_min),
      met: (facts.years_experience ?? -1) >= years_experience_min,
    },
    education_level_min && {
      requirement: 'education_level_min' as const,
      asked: educationSentences[education_level_min],
      met:
        facts.education_level !== null &&
        educationLevels.indexOf(facts.education_level) >= educationLevels.indexOf(education_level_min),
    },
    clearance_required !== 'none' && {
      requirement: 'clearance_required' as const,
      asked: clearanceSentences[clearance_required],
      met: clearances.indexOf(facts.clearance_held) >= clearances.indexOf(clearance_required),
    },
  ].filter((each) => typeof each === 'object');
}

function isAmong(value: string | null, list: readonly string[]): boolean {
  return value !== null && list.includes(value);
}

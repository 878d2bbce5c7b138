import type { MatchOutcome } from '#modules/matching';
import type { MemberAnswers } from '#modules/self-identification';
import {
  listGroups,
  nameIntersection,
  nobody,
  not_stated,
  reportAttributes,
  type BiasCounts,
  type BiasStage,
  type ReportAttribute,
} from './rules.ts';

/** How far a person has come with an organisation. */
type Person = { furthest: number; tier: number };

/** The people of an organisation, by the id of the member. */
export type People = Map<string, Person>;

/** The tiers, the lowest first. */
const tiers: readonly MatchOutcome['match_quality'][] = ['developing', 'moderate', 'strong', 'exceptional'];
const strong_tier = tiers.indexOf('strong');

const furthestStages = ['matched', 'org_interested', 'member_accepted', 'placed'] as const;

/** Adds matches to the people of an organisation. A person with several matches counts once, with the furthest and with the best of them. */
export function addOutcomes(people: People, outcomes: readonly MatchOutcome[]): void {
  for (const { member_id, match_quality, stage } of outcomes) {
    const furthest = furthestStages.indexOf(stage);
    const tier = tiers.indexOf(match_quality);
    const known = people.get(member_id);
    if (known === undefined) people.set(member_id, { furthest, tier });
    else {
      known.furthest = Math.max(known.furthest, furthest);
      known.tier = Math.max(known.tier, tier);
    }
  }
}

type MutableCounts = Record<BiasStage, number>;

/** Counts people by stage, in all and by each attribute. A person without answers has stated nothing. */
export function countPeople(
  people: ReadonlyMap<string, Readonly<Person>>,
  answers: readonly MemberAnswers[],
  versions: Pick<BiasCounts, 'parameter_version' | 'policy_version'>,
): BiasCounts {
  const median = findMedianTier(people);
  const totals: MutableCounts = { ...nobody };
  const attributes = Object.fromEntries(
    reportAttributes.map((attribute) => [
      attribute,
      Object.fromEntries(listGroups(attribute).map((group) => [group, { ...nobody }])),
    ]),
  ) as Record<ReportAttribute, Record<string, MutableCounts>>;
  const byMember = new Map(answers.map((each) => [each.member_id, each]));
  for (const [member_id, person] of people) {
    const stated = byMember.get(member_id);
    const reached = listReached(person, median);
    addPerson(totals, reached);
    for (const attribute of reportAttributes)
      addPerson(attributes[attribute][findGroup(attribute, stated)]!, reached);
  }
  return { totals, attributes, ...versions, median_tier: tiers[median] ?? null };
}

/** Finds the tier of the person in the middle; with an even number of people, the lower of the two. -1 without people. */
function findMedianTier(people: ReadonlyMap<string, Readonly<Person>>): number {
  const sorted = [...people.values()].map(({ tier }) => tier).toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? -1;
}

function findGroup(attribute: ReportAttribute, stated: MemberAnswers | undefined): string {
  if (attribute === 'gender_ethnicity')
    return nameIntersection(findGroup('gender', stated), findGroup('ethnicity', stated));
  return stated?.[attribute] ?? not_stated;
}

function listReached({ furthest, tier }: Readonly<Person>, median: number): readonly BiasStage[] {
  const reached: BiasStage[] = furthestStages.slice(0, furthest + 1);
  if (tier >= strong_tier) reached.push('rated_strong');
  if (tier > median) reached.push('above_median');
  return reached;
}

function addPerson(counts: MutableCounts, reached: readonly BiasStage[]): void {
  for (const stage of reached) counts[stage]++;
}

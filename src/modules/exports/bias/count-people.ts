import type { MatchOutcome } from '#modules/matching';
import { identityAttributes, type IdentityAttribute, type MemberAnswers } from '#modules/self-identification';
import { biasStages, listGroups, not_stated, type BiasCounts, type BiasStage } from './rules.ts';

/** How far a person has come with an organisation. */
type Person = { furthest: number; is_strong: boolean };

/** The people of an organisation, by the id of the member. */
export type People = Map<string, Person>;

const furthestStages = ['matched', 'org_interested', 'member_accepted', 'placed'] as const;

/** Adds matches to the people of an organisation. A person with several matches counts once, with the furthest of them. */
export function addOutcomes(people: People, outcomes: readonly MatchOutcome[]): void {
  for (const { member_id, match_quality, stage } of outcomes) {
    const furthest = furthestStages.indexOf(stage);
    const is_strong = match_quality === 'exceptional' || match_quality === 'strong';
    const known = people.get(member_id);
    if (known === undefined) people.set(member_id, { furthest, is_strong });
    else {
      known.furthest = Math.max(known.furthest, furthest);
      known.is_strong ||= is_strong;
    }
  }
}

type MutableCounts = Record<BiasStage, number>;

/** Counts people by stage, in all and by each attribute. A person without answers has stated nothing. */
export function countPeople(
  people: ReadonlyMap<string, Readonly<Person>>,
  answers: readonly MemberAnswers[],
): BiasCounts {
  const totals = createCounts();
  const attributes = Object.fromEntries(
    identityAttributes.map((attribute) => [
      attribute,
      Object.fromEntries(listGroups(attribute).map((group) => [group, createCounts()])),
    ]),
  ) as Record<IdentityAttribute, Record<string, MutableCounts>>;
  const byMember = new Map(answers.map((each) => [each.member_id, each]));
  for (const [member_id, person] of people) {
    const stated = byMember.get(member_id);
    addPerson(totals, person);
    for (const attribute of identityAttributes)
      addPerson(attributes[attribute][stated?.[attribute] ?? not_stated]!, person);
  }
  return { totals, attributes };
}

function createCounts(): MutableCounts {
  return { matched: 0, rated_strong: 0, org_interested: 0, member_accepted: 0, placed: 0 };
}

function addPerson(counts: MutableCounts, { furthest, is_strong }: Readonly<Person>): void {
  for (const stage of biasStages) {
    const isReached =
      stage === 'rated_strong'
        ? is_strong
        : furthestStages.slice(0, furthest + 1).some((each) => each === stage);
    if (isReached) counts[stage]++;
  }
}

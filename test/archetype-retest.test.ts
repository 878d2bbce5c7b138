import { expect, test } from 'vitest';
import { createSeededRandom, type Random } from '@tessera/psychometrics/seeded-random';
import { computeCategoricalPosterior, itemBank, type LatentVector } from '#modules/measurement/traits';
import { assignArchetype } from '../src/modules/measurement/archetypes/assignment.ts';
import {
  certaintyCuts,
  computeFamilyProbabilities,
} from '../src/modules/measurement/archetypes/family-stability.ts';
import { computePosterior } from '../src/modules/measurement/traits/measurement/posterior.ts';
import {
  simulateMember,
  simulateOption,
  type SimulatedMember,
} from '../src/modules/measurement/traits/measurement/simulated-member.ts';
import { buildLatentVector } from '../src/modules/measurement/traits/measurement/trait-vector.ts';
import { categoricalTraitCodes } from './modules/items.ts';

const member_count = 600;

/** Measures a member with some statements of each trait and with some scenarios, which are chosen at random to be fast. */
function measureMember(
  member: SimulatedMember,
  { statements, scenarios }: { readonly statements: number; readonly scenarios: number },
  random: Random,
): LatentVector {
  const drawSome = <Item>(items: readonly Item[], count: number) =>
    items
      .map((item) => ({ item, place: random() }))
      .toSorted((one, other) => one.place - other.place)
      .slice(0, count)
      .map(({ item }) => item);
  const items = [
    ...itemBank.traits.flatMap((trait) => drawSome(itemBank.gradedByTrait.get(trait)!, statements)),
    ...drawSome(itemBank.scenarios, scenarios),
  ];
  const answers = items.map((item) => ({ item_id: item.id, option: simulateOption(member, item, random) }));
  return buildLatentVector(
    computePosterior(answers),
    categoricalTraitCodes.map((trait) => computeCategoricalPosterior(trait, answers)),
  );
}

test.each([
  ['a first stage', { statements: 3, scenarios: 6, cuts: [certaintyCuts.medium] }],
  ['a whole assessment', { statements: 7, scenarios: 12, cuts: Object.values(certaintyCuts) }],
])(
  `${member_count} simulated members, measured twice by %s, keep their family as often as predicted or a little more often`,
  (_, length) => {
    const random = createSeededRandom(44);
    const retests = Array.from({ length: member_count }, () => {
      const member = simulateMember(random);
      const vector = measureMember(member, length, random);
      const { family } = assignArchetype(vector).template;
      return {
        predicted: computeFamilyProbabilities(vector)[family],
        same: Number(assignArchetype(measureMember(member, length, random)).template.family === family),
      };
    });
    const average = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    const all = retests.map(({ same }) => same);
    // The prediction treats the errors of traits as independent. 4,000 members keep their family 3 to 4 points more often.
    const difference = average(all) - average(retests.map(({ predicted }) => predicted));
    expect(difference).toBeGreaterThan(-0.02);
    expect(difference).toBeLessThan(0.08);
    for (const cut of length.cuts) {
      const certain = retests.filter(({ predicted }) => predicted >= cut).map(({ same }) => same);
      expect(certain.length).toBeGreaterThan(50);
      expect(average(certain)).toBeGreaterThanOrEqual(cut);
      expect(average(certain)).toBeGreaterThan(average(all));
    }
  },
);

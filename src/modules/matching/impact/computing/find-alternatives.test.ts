import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { computeFit, computeFitWeights, computeTier } from '#modules/matching/engine';
import {
  builtInNorms,
  continuousTraits,
  toTraitSlot,
  traitCodes,
  type TraitCode,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { computeImpact, computeLowestRatio, type Groups } from './compute-impact.ts';
import { findAlternatives } from './find-alternatives.ts';
import { addToGroup, createGroupSums, toMoments, type MeasuredTraits } from './group-moments.ts';

type Gaps = Readonly<Partial<Record<TraitCode, number>>>;

/** Draws people whose traits are as high as the prior says, apart from some gaps. */
function drawPeople(random: Random, size: number, gaps: Gaps): readonly MeasuredTraits[] {
  return Array.from({ length: size }, () => {
    const general = 0.4 * drawStandardNormal(random);
    return {
      mean: traitCodes.map((code) => (gaps[code] ?? 0) + general + 0.75 * drawStandardNormal(random)),
      variance: traitCodes.map(() => 0.1 + 0.1 * random()),
    };
  });
}

function measure(people: Readonly<Record<string, readonly MeasuredTraits[]>>): Groups {
  return new Map(
    Object.entries(people).map(([group, some]) => {
      const sums = createGroupSums();
      for (const person of some) addToGroup(sums, person);
      return [group, toMoments(sums)];
    }),
  );
}

function countStrong(people: readonly MeasuredTraits[], priorities: TraitPriorities): number {
  const weights = computeFitWeights(priorities, builtInNorms);
  const strong = people.filter(({ mean, variance }) => {
    const fit = computeFit(weights, mean, variance);
    return ['strong', 'exceptional'].includes(computeTier(fit.mean, fit.sd, weights.shared_sd));
  });
  return strong.length / people.length;
}

const nurse: TraitPriorities = { empathic_attunement: 0.8, persistence: 0.5, pressure_response: 0.6 };
const gaps: Gaps = { empathic_attunement: 0.5, pressure_response: -0.3 };

test('the rates, ratios and their intervals are those of people who are counted', () => {
  const random = createSeededRandom(3);
  const people = { woman: drawPeople(random, 4_000, gaps), man: drawPeople(random, 4_000, {}) };
  const rows = computeImpact(computeFitWeights(nurse, builtInNorms), measure(people));
  for (const { group, rate } of rows)
    expect(Math.abs(rate / countStrong(people[group as 'man'], nurse) - 1)).toBeLessThan(0.1);
  const [woman, man] = rows;
  expect(woman).toMatchObject({ impact_ratio: 1, ratio_from: null, flag: null, below_four_fifths: false });
  expect(man).toMatchObject({ below_four_fifths: true, flag: 'significant' });
  expect(man!.impact_ratio).toBeCloseTo(man!.rate / woman!.rate, 6);
});

test('the interval has the true ratio in about 95 of 100 measurements', () => {
  const random = createSeededRandom(4);
  const weights = computeFitWeights(nurse, builtInNorms);
  const truth = computeImpact(
    weights,
    measure({ woman: drawPeople(random, 40_000, gaps), man: drawPeople(random, 40_000, {}) }),
  )[1]!.impact_ratio;
  let inside = 0;
  for (let sample = 0; sample < 200; sample++) {
    const groups = measure({ woman: drawPeople(random, 120, gaps), man: drawPeople(random, 90, {}) });
    const [woman, man] = computeImpact(weights, groups);
    // If the men have the highest rate, the ratio is that of the women.
    inside += Number(
      man!.ratio_from === null
        ? 1 / woman!.ratio_to! <= truth && truth <= 1 / woman!.ratio_from!
        : man!.ratio_from <= truth && truth <= man!.ratio_to!,
    );
  }
  expect(inside).toBeGreaterThanOrEqual(182);
  expect(inside).toBeLessThan(200);
});

test('few people lead to no finding, good or bad', () => {
  const random = createSeededRandom(5);
  const groups = measure({ woman: drawPeople(random, 50, {}), man: drawPeople(random, 50, {}) });
  const flags = computeImpact(computeFitWeights(nurse, builtInNorms), groups).map(({ flag }) => flag);
  expect(flags.filter((flag) => flag !== null)).toEqual(['insufficient']);
});

const priorities = fc
  .dictionary(fc.constantFrom(...continuousTraits), fc.integer({ min: 1, max: 20 }), {
    minKeys: 1,
    maxKeys: 8,
  })
  .map((each): TraitPriorities =>
    Object.fromEntries(Object.entries(each).map(([code, n]) => [code, n / 20])),
  );

test('alternatives are near the first priorities, have less impact, stand on places of the sliders, and are the same each time', async () => {
  const random = createSeededRandom(6);
  const attributes = [
    measure({ woman: drawPeople(random, 300, gaps), man: drawPeople(random, 200, {}) }),
    measure({
      under_25: drawPeople(random, 300, { persistence: -0.4 }),
      '35_to_44': drawPeople(random, 200, {}),
    }),
  ];
  let offered = 0;
  await fc.assert(
    fc.asyncProperty(priorities, async (first) => {
      const found = await findAlternatives(first, attributes, builtInNorms);
      expect(await findAlternatives(first, attributes, builtInNorms)).toEqual(found);
      const listRatios = (each: TraitPriorities) =>
        attributes.map((groups) => computeLowestRatio(computeFitWeights(each, builtInNorms), groups));
      const computeShortfall = (each: TraitPriorities) =>
        listRatios(each).reduce((sum, value) => sum + Math.max(0, Math.log(0.9 / value)), 0);
      expect(computeShortfall(first) > 0 || found.length === 0).toBe(true);
      offered += found.length;
      for (const { distance, trait_priorities, correlation } of found) {
        expect(correlation).toBeGreaterThanOrEqual(distance === 'near' ? 0.95 : 0.85);
        expect(correlation).toBeLessThanOrEqual(1);
        expect(computeShortfall(trait_priorities)).toBeLessThan(computeShortfall(first));
        for (const [code, value] of Object.entries(trait_priorities)) {
          expect(value === first[code as TraitCode] || Number.isInteger(Math.round(value * 1e9) / 5e7)).toBe(
            true,
          );
          expect(value).toBeGreaterThan(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }
    }),
    { numRuns: 25 },
  );
  expect(offered).toBeGreaterThan(5);
});

test('a large gap is closed by the alternative, for people who were measured and for others', async () => {
  const random = createSeededRandom(7);
  const draw = (size: number) => ({
    woman: drawPeople(random, size, gaps),
    man: drawPeople(random, size, {}),
  });
  const groups = measure(draw(2_000));
  const others = draw(4_000);
  const compare = (each: TraitPriorities) => countStrong(others.man, each) / countStrong(others.woman, each);
  expect(compare(nurse)).toBeLessThan(0.7);
  const last = (await findAlternatives(nurse, [groups], builtInNorms)).at(-1)!;
  expect(compare(last.trait_priorities)).toBeGreaterThan(0.8);
  expect(last.trait_priorities.empathic_attunement).toBeLessThan(0.8);
});

test('a trait in which nobody differs has no part in alternatives', async () => {
  const random = createSeededRandom(8);
  const isFlat = (slot: number) => slot === toTraitSlot('discretion');
  const flatten = (people: readonly MeasuredTraits[]) =>
    people.map(({ mean, variance }) => ({
      mean: mean.map((each, slot) => (isFlat(slot) ? 0 : each)),
      variance,
    }));
  const groups = measure({
    woman: flatten(drawPeople(random, 300, gaps)),
    man: flatten(drawPeople(random, 300, {})),
  });
  for (const { trait_priorities } of await findAlternatives(nurse, [groups], builtInNorms))
    expect(trait_priorities.discretion).toBeUndefined();
});

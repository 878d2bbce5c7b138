import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import {
  buildLatentVector,
  computeCategoricalPosterior,
  toTraitSlot,
  type LatentVector,
} from '#modules/measurement/traits';
import { proves } from '#test/requirements.ts';
import { drawSyntheticMember } from '../../../demo/synthetic-members.ts';
import { assignArchetype, toConfidenceLevel } from './assignment.ts';
import { archetypeCodes, archetypeFamilies, archetypeTemplates, type ArchetypeCode } from './templates.ts';
import { categoricalTraitCodes } from '#test/modules/items.ts';

const fillSlots = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 20, maxLength: 20 });
// In thousandths, because numbers close to zero would underflow when a test scales a vector down.
const means = fillSlots(fc.integer({ min: -4_000, max: 4_000 }).map((thousandths) => thousandths / 1_000));
const variances = fillSlots(fc.double({ min: 0.001, max: 1, noNaN: true }));
const vectors = fc.record({ mean: means, variance: variances });
const assignCode = (vector: LatentVector) => assignArchetype(vector).template.archetype;
const findTemplate = (code: ArchetypeCode) =>
  archetypeTemplates.find(({ archetype }) => archetype === code)!.vector;

describe('the templates', () => {
  test('are twelve, three in each of four families, in the order of their codes', () => {
    expect(archetypeTemplates.map(({ archetype }) => archetype)).toEqual([...archetypeCodes]);
    expect(new Set(archetypeCodes).size).toBe(12);
    const families = Map.groupBy(archetypeTemplates, ({ family }) => family);
    expect([...families.keys()]).toEqual(Object.keys(archetypeFamilies));
    for (const members of families.values()) expect(members).toHaveLength(3);
  });

  test('have a highest trait at 1.5, at least one trait below zero, and a description of one sentence', () => {
    for (const { vector, description } of archetypeTemplates) {
      expect(Math.max(...vector)).toBe(1.5);
      expect(Math.min(...vector)).toBeLessThan(0);
      expect(description).toMatch(/^[A-Z][^.]+\.$/);
    }
  });

  test('never describe a member as insincere, unfair or unaccountable', () => {
    for (const { vector } of archetypeTemplates)
      for (const trait of ['sincerity', 'fair_dealing', 'accountability'] as const)
        expect(vector[toTraitSlot(trait)]).toBeGreaterThanOrEqual(0);
  });
});

describe('the assignment', () => {
  test('of the vector of a template is that template, for all precisions of the traits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...archetypeTemplates), variances, (template, variance) => {
        const assignment = assignArchetype({ mean: template.vector, variance });
        expect(assignment.template.archetype).toBe(template.archetype);
        expect(assignment.similarity).toBeCloseTo(1, 12);
      }),
    );
  });

  test('is the template with the largest weighted cosine, according to the plain formula', () => {
    proves('archetype-weighted-cosine-over-12-templates');
    fc.assert(
      fc.property(vectors, (vector) => {
        const cosines = archetypeTemplates.map((template) => computeWeightedCosine(vector, template.vector));
        const { template, runner_up, similarity } = assignArchetype(vector);
        const [first, second] = cosines.toSorted((one, other) => other - one);
        expect(similarity).toBeCloseTo(first!, 10);
        expect(cosines[archetypeTemplates.indexOf(template)]).toBeCloseTo(first!, 10);
        expect(cosines[archetypeTemplates.indexOf(runner_up)]).toBeCloseTo(second!, 10);
        expect(runner_up).not.toBe(template);
      }),
    );
  });

  test('depends on the direction of the traits, not on their size', () => {
    fc.assert(
      // Powers of two scale without rounding, so that even a tie remains a tie.
      fc.property(vectors, fc.integer({ min: -20, max: 20 }), (vector, power) => {
        const scaled = { ...vector, mean: vector.mean.map((each) => each * 2 ** power) };
        expect(assignCode(scaled)).toBe(assignCode(vector));
      }),
    );
  });

  test('is always the same for the same vector, and the first of equal templates', () => {
    fc.assert(
      fc.property(vectors, (vector) => {
        expect(assignArchetype(vector)).toEqual(assignArchetype(structuredClone(vector)));
      }),
    );
    const unmeasured = { mean: Array<number>(20).fill(0), variance: Array<number>(20).fill(1) };
    const { template, runner_up, similarity, confidence } = assignArchetype(unmeasured);
    expect([template.archetype, runner_up.archetype, similarity]).toEqual(['compass', 'lantern', 0]);
    expect(toConfidenceLevel(confidence)).toBe('low');
  });

  test('gives more weight to precisely measured traits', () => {
    const [whetstone, hearth] = [findTemplate('whetstone'), findTemplate('hearth')];
    const mean = whetstone.map((each, slot) => each + hearth[slot]!);
    const buildVariance = (precise: readonly number[]) => precise.map((each) => (each === 0 ? 0.9 : 0.05));
    expect(assignCode({ mean, variance: buildVariance(whetstone) })).toBe('whetstone');
    expect(assignCode({ mean, variance: buildVariance(hearth) })).toBe('hearth');
  });
});

describe('the confidence', () => {
  test('is a probability that increases with the precision of the measurement', () => {
    fc.assert(
      fc.property(means, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (mean, spread) => {
        // The same variance for all traits leaves the proportions of the weights unchanged, so that only the precision differs.
        const computeConfidence = (variance: number) =>
          assignArchetype({ mean, variance: Array<number>(20).fill(variance) }).confidence;
        const [precise, imprecise] = [computeConfidence(spread), computeConfidence(2 * spread)];
        expect(precise).toBeLessThanOrEqual(1);
        expect(imprecise).toBeGreaterThanOrEqual(0);
        expect(precise).toBeGreaterThanOrEqual(imprecise - 1e-12);
      }),
    );
  });

  test('is 1 without variance, and a product of halves if all templates are equally near', () => {
    const variance = Array<number>(20).fill(0);
    const onTemplate = assignArchetype({ mean: archetypeTemplates[3]!.vector, variance });
    expect(onTemplate.confidence).toBe(1);
    const betweenAll = assignArchetype({ mean: Array<number>(20).fill(0), variance });
    expect(betweenAll.confidence).toBe(0.5 ** 11);
  });

  test.each([
    [1, 'high'],
    [0.8, 'high'],
    [0.79, 'medium'],
    [0.5, 'medium'],
    [0.49, 'low'],
    [0, 'low'],
  ])('%d has the level %s', (confidence, level) => expect(toConfidenceLevel(confidence)).toBe(level));
});

describe('in a simulated population of 6,000', () => {
  const random = createSeededRandom(20_260_302);
  const members = Array.from({ length: 6_000 }, () => drawMeasuredVector(random)).map((vector) => ({
    vector,
    ...assignArchetype(vector),
  }));
  const addNoise = ({ mean, variance }: LatentVector, sd: (slot: number) => number): LatentVector => ({
    mean: mean.map((each, slot) => each + sd(slot) * drawStandardNormal(random)),
    variance,
  });
  const computeShare = (matches: (member: (typeof members)[number]) => boolean) =>
    members.filter(matches).length / members.length;

  test('every archetype has between 4 % and 12 % of the members', () => {
    const shares = archetypeTemplates.map((template) =>
      computeShare((member) => member.template === template),
    );
    expect(Math.min(...shares)).toBeGreaterThan(0.04);
    expect(Math.max(...shares)).toBeLessThan(0.12);
  });

  test('nearly nine in ten have the same archetype after noise of a tenth of a standard deviation', () => {
    const stable = computeShare(
      ({ vector, template }) => assignArchetype(addNoise(vector, () => 0.1)).template === template,
    );
    expect(stable).toBeGreaterThan(0.88);
  });

  test('about two thirds have the archetype of their true traits, and the confidence underestimates at every level', () => {
    const outcomes = members.map(({ vector, template, confidence }) => {
      const truth = addNoise(vector, (slot) => Math.sqrt(vector.variance[slot]!));
      return { confidence, isTrue: assignArchetype(truth).template === template };
    });
    const computeTrueShare = (some: typeof outcomes) =>
      some.filter(({ isTrue }) => isTrue).length / some.length;
    expect(computeTrueShare(outcomes)).toBeGreaterThan(0.64);
    const levels = Map.groupBy(outcomes, ({ confidence }) => toConfidenceLevel(confidence));
    for (const some of levels.values()) {
      const meanConfidence = some.reduce((sum, { confidence }) => sum + confidence, 0) / some.length;
      expect(computeTrueShare(some)).toBeGreaterThan(meanConfidence - 0.02);
    }
    expect(computeTrueShare(levels.get('high')!)).toBeGreaterThan(0.88);
    expect(computeTrueShare(levels.get('low')!)).toBeLessThan(0.6);
  });
});

/** Draws a member of the prior population, measured as precisely as a complete assessment measures. */
function drawMeasuredVector(random: () => number): LatentVector {
  const { posterior, scenarios } = drawSyntheticMember(random);
  return buildLatentVector(
    posterior,
    categoricalTraitCodes.map((trait) => computeCategoricalPosterior(trait, scenarios)),
  );
}

/** The formula of the assignment, written for clarity only. */
function computeWeightedCosine({ mean, variance }: LatentVector, template: readonly number[]): number {
  let [product, ours, theirs] = [0, 0, 0];
  for (let slot = 0; slot < 20; slot += 1) {
    const weight = 1 / (variance[slot]! + 0.1);
    product += weight * mean[slot]! * template[slot]!;
    ours += weight * mean[slot]! ** 2;
    theirs += weight * template[slot]! ** 2;
  }
  return ours === 0 ? 0 : product / Math.sqrt(ours) / Math.sqrt(theirs);
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawSyntheticMember } from '../../demo/synthetic-members.ts';
import { assignArchetype, toConfidenceLevel } from './assignment.ts';
import { archetypeCodes, archetypeFamilies, archetypeTemplates } from './templates.ts';
import { createSeededRandom, drawStandardNormal } from '#lib/seeded-random.ts';
import { computeCategoricalPosterior, buildLatentVector, type LatentVector } from '#modules/traits';
import { proves } from '#test/requirements.ts';

const slots = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 20, maxLength: 20 });
// In thousandths: numbers next to zero would vanish where a vector is made smaller.
const means = slots(fc.integer({ min: -4_000, max: 4_000 }).map((thousandths) => thousandths / 1_000));
const variances = slots(fc.double({ min: 0.001, max: 1, noNaN: true }));
const vectors = fc.record({ mean: means, variance: variances });
const codeOf = (vector: LatentVector) => assignArchetype(vector).template.archetype;

describe('the templates', () => {
  test('are twelve in four families of three, in the order of their codes', () => {
    expect(archetypeTemplates.map(({ archetype }) => archetype)).toEqual([...archetypeCodes]);
    expect(new Set(archetypeCodes).size).toBe(12);
    const families = Map.groupBy(archetypeTemplates, ({ family }) => family);
    expect([...families.keys()]).toEqual(Object.keys(archetypeFamilies));
    for (const members of families.values()) expect(members).toHaveLength(3);
  });

  test('each speak of something high and something low, and of one sentence', () => {
    for (const { vector, description } of archetypeTemplates) {
      expect(Math.max(...vector)).toBe(1.5);
      expect(Math.min(...vector)).toBeLessThan(0);
      expect(description).toMatch(/^[A-Z][^.]+\.$/);
    }
  });

  test('say of nobody that they are not sincere, fair or accountable', () => {
    const integrity = [16, 17, 18];
    for (const { vector } of archetypeTemplates)
      for (const slot of integrity) expect(vector[slot]).toBeGreaterThanOrEqual(0);
  });
});

describe('the assignment', () => {
  test('of every template is the template itself, however well each trait was measured', () => {
    fc.assert(
      fc.property(fc.constantFrom(...archetypeTemplates), variances, (template, variance) => {
        const found = assignArchetype({ mean: template.vector, variance });
        expect(found.template.archetype).toBe(template.archetype);
        expect(found.similarity).toBeCloseTo(1, 12);
      }),
    );
  });

  test('is the largest weighted cosine of all twelve, as the formula says it', () => {
    proves('archetype-weighted-cosine-over-12-templates');
    fc.assert(
      fc.property(vectors, (vector) => {
        const cosines = archetypeTemplates.map((template) => weightedCosine(vector, template.vector));
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
      // Powers of two scale without rounding, so that even a tie stays one.
      fc.property(vectors, fc.integer({ min: -20, max: 20 }), (vector, power) => {
        const scaled = { ...vector, mean: vector.mean.map((each) => each * 2 ** power) };
        expect(codeOf(scaled)).toBe(codeOf(vector));
      }),
    );
  });

  test('of the same vector is always the same, and of ties the first', () => {
    fc.assert(
      fc.property(vectors, (vector) => {
        expect(assignArchetype(vector)).toEqual(assignArchetype(structuredClone(vector)));
      }),
    );
    const unknown = { mean: Array<number>(20).fill(0), variance: Array<number>(20).fill(1) };
    const { template, runner_up, similarity, confidence } = assignArchetype(unknown);
    expect([template.archetype, runner_up.archetype, similarity]).toEqual(['compass', 'lantern', 0]);
    expect(toConfidenceLevel(confidence)).toBe('low');
  });

  test('counts a well measured trait more', () => {
    const [whetstone, hearth] = ['whetstone', 'hearth'].map(
      (code) => archetypeTemplates.find(({ archetype }) => archetype === code)!.vector,
    );
    const mean = whetstone!.map((each, slot) => each + hearth![slot]!);
    const sureOf = (shape: readonly number[]) => shape.map((each) => (each === 0 ? 0.9 : 0.05));
    expect(codeOf({ mean, variance: sureOf(whetstone!) })).toBe('whetstone');
    expect(codeOf({ mean, variance: sureOf(hearth!) })).toBe('hearth');
  });
});

describe('the confidence', () => {
  test('is a probability that grows with the precision of the measurement', () => {
    fc.assert(
      fc.property(means, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (mean, spread) => {
        // One variance for all keeps the weights in proportion, so that only the certainty changes.
        const [sharp, blurred] = [spread, 2 * spread].map((each) =>
          assignArchetype({ mean, variance: Array<number>(20).fill(each) }),
        );
        expect(sharp!.confidence).toBeLessThanOrEqual(1);
        expect(blurred!.confidence).toBeGreaterThanOrEqual(0);
        expect(sharp!.confidence).toBeGreaterThanOrEqual(blurred!.confidence - 1e-12);
      }),
    );
  });

  test('is complete without any doubt, and even between two at the same distance', () => {
    const certain = assignArchetype({
      mean: archetypeTemplates[3]!.vector,
      variance: Array<number>(20).fill(0),
    });
    expect(certain.confidence).toBe(1);
    const nothing = assignArchetype({
      mean: Array<number>(20).fill(0),
      variance: Array<number>(20).fill(0),
    });
    expect(nothing.confidence).toBe(0.5 ** 11);
  });

  test.each([
    [1, 'high'],
    [0.8, 'high'],
    [0.79, 'medium'],
    [0.5, 'medium'],
    [0.49, 'low'],
    [0, 'low'],
  ])('of %d is called %s', (confidence, level) => expect(toConfidenceLevel(confidence)).toBe(level));
});

describe('in a simulated population of 6,000', () => {
  const random = createSeededRandom(20_260_302);
  const people = Array.from({ length: 6_000 }, () => measuredPerson(random)).map((vector) => ({
    vector,
    ...assignArchetype(vector),
  }));
  const noisy = ({ mean, variance }: LatentVector, sd: (slot: number) => number): LatentVector => ({
    mean: mean.map((each, slot) => each + sd(slot) * drawStandardNormal(random)),
    variance,
  });
  const shareWhere = (holds: (person: (typeof people)[number]) => boolean) =>
    people.filter(holds).length / people.length;

  test('no archetype has less than 2 % or more than 20 % of the people', () => {
    const shares = archetypeTemplates.map((template) => shareWhere((person) => person.template === template));
    expect(Math.min(...shares)).toBeGreaterThan(0.04);
    expect(Math.max(...shares)).toBeLessThan(0.12);
  });

  test('nine in ten keep their archetype under noise of a tenth of a standard deviation', () => {
    const kept = shareWhere(
      ({ vector, template }) => assignArchetype(noisy(vector, () => 0.1)).template === template,
    );
    expect(kept).toBeGreaterThan(0.88);
  });

  test('two thirds have the archetype of their true traits, and the confidence promises less at every level', () => {
    const outcomes = people.map(({ vector, template, confidence }) => {
      const truth = noisy(vector, (slot) => Math.sqrt(vector.variance[slot]!));
      return { confidence, isTrue: assignArchetype(truth).template === template };
    });
    const share = (of: typeof outcomes) => of.filter(({ isTrue }) => isTrue).length / of.length;
    expect(share(outcomes)).toBeGreaterThan(0.64);
    const levels = Map.groupBy(outcomes, ({ confidence }) => toConfidenceLevel(confidence));
    for (const of of levels.values()) {
      const promised = of.reduce((sum, { confidence }) => sum + confidence, 0) / of.length;
      expect(share(of)).toBeGreaterThan(promised - 0.02);
    }
    expect(share(levels.get('high')!)).toBeGreaterThan(0.88);
    expect(share(levels.get('low')!)).toBeLessThan(0.6);
  });
});

/** Somebody of the prior population, measured as closely as a finished assessment measures. */
function measuredPerson(random: () => number): LatentVector {
  const { posterior, scenarios } = drawSyntheticMember(random);
  return buildLatentVector(
    posterior,
    (['decision_mode', 'conflict_style'] as const).map((trait) =>
      computeCategoricalPosterior(trait, scenarios),
    ),
  );
}

function weightedCosine({ mean, variance }: LatentVector, template: readonly number[]): number {
  let [product, ours, theirs] = [0, 0, 0];
  for (let slot = 0; slot < 20; slot += 1) {
    const weight = 1 / (variance[slot]! + 0.1);
    product += weight * mean[slot]! * template[slot]!;
    ours += weight * mean[slot]! ** 2;
    theirs += weight * template[slot]! ** 2;
  }
  return ours === 0 ? 0 : product / Math.sqrt(ours) / Math.sqrt(theirs);
}

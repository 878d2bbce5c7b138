import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import {
  traitCodes,
  traitFamilies,
  traitFamilyNames,
  type TraitCode,
  type TraitFamily,
} from '#modules/measurement/traits';
import {
  blur,
  computeLevel,
  labelFamilies,
  labelValues,
  traitTiers,
  valueBands,
  valueTraits,
} from './tiers.ts';

const drawCentre = () => 0.5;
/** A vector that is known nearly exactly. */
const buildKnownVector = (mean: readonly number[]) => ({ mean, variance: mean.map(() => 1e-6) });
const fillSlots = (value: number) => buildKnownVector(traitCodes.map(() => value));
const vectors = fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 20, maxLength: 20 });
const draws = fc.dictionary(
  fc.constantFrom(...traitFamilyNames),
  fc.double({ min: 0, max: 0.999, noNaN: true }),
);

test('a family has more of its traits the better its label, and every label occurs', () => {
  const labels = [-2, -0.5, 0.5, 2].map(
    (value) => labelFamilies(fillSlots(value), drawCentre).drive_architecture,
  );
  expect(labels).toEqual(['emerging', 'moderate', 'strong', 'high']);
  const bands = [-2, 0, 2].map((value) => labelValues(fillSlots(value), drawCentre).purpose);
  expect(bands).toEqual(['secondary', 'important', 'central']);
});

test('a family’s label depends on its own traits on a scale alone, and never falls when one of them rises', () => {
  fc.assert(
    fc.property(
      vectors,
      draws,
      fc.constantFrom(...traitFamilyNames),
      fc.nat(19),
      fc.double({ min: 0, max: 3, noNaN: true }),
      (mean, drawn, family, slot, rise) => {
        const drawFixed = (label: string) => drawn[label as TraitFamily] ?? 0.5;
        const raised = mean.map((value, index) => (index === slot ? value + rise : value));
        const [before, after] = [
          labelFamilies(buildKnownVector(mean), drawFixed)[family],
          labelFamilies(buildKnownVector(raised), drawFixed)[family],
        ];
        const isOwn = (traitFamilies[family] as readonly string[]).includes(traitCodes[slot]!);
        const isCategorical = ['decision_mode', 'conflict_style'].includes(traitCodes[slot]!);
        const mayChange = isOwn && !isCategorical;
        expect(mayChange || after === before).toBe(true);
        expect(traitTiers.indexOf(after)).toBeLessThanOrEqual(traitTiers.indexOf(before));
      },
    ),
  );
});

test('a label claims a side only if the bounds of its traits support it, wherever the cuts of the member are', () => {
  const sides = { high: 1, strong: 1, central: 1, emerging: -1, secondary: -1 } as Readonly<
    Record<string, number>
  >;
  const variances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 });
  const drawn = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(vectors, variances, drawn, (mean, variance, share) => {
      const labels = [
        ...toEntries(
          traitFamilies,
          labelFamilies({ mean, variance }, () => share),
        ),
        ...toEntries(
          valueTraits,
          labelValues({ mean, variance }, () => share),
        ),
      ];
      for (const [codes, label] of labels) {
        const level = computeLevel({ mean, variance }, codes);
        const side = sides[label] ?? 0;
        const isSupported = side === 0 || side * level.mean > 1.96 * Math.sqrt(level.variance);
        expect([label, isSupported]).toEqual([label, true]);
      }
    }),
    { numRuns: 1_000 },
  );
});

/** Joins the traits of each family or value with its label. */
function toEntries<Name extends string>(
  traits: Readonly<Record<Name, readonly TraitCode[]>>,
  labels: Readonly<Record<Name, string>>,
): readonly (readonly [codes: readonly TraitCode[], label: string])[] {
  return (Object.keys(traits) as Name[]).map((name) => [traits[name], labels[name]]);
}

test('labels contain no digit', () => {
  expect([...traitTiers, ...valueBands].join()).not.toMatch(/\d/);
});

describe('an organisation that reads again and again', () => {
  test('learns from a label that changes where the level is only up to the secret shift of the cuts', () => {
    // The member answers on, and the level passes a cut. Over members, the level at that moment is spread over the whole blur above the middle.
    const random = createSeededRandom(7);
    const levels = Array.from({ length: 400 }, () => {
      const drawn = random();
      return findChange(() => drawn);
    });
    expect(Math.max(...levels) - Math.min(...levels)).toBeGreaterThan(1.8 * blur);
    expect(computeDeviation(levels)).toBeGreaterThan(0.15);
  });

  test('gets the same label as any other organisation, so that several together learn no more than one', () => {
    fc.assert(
      fc.property(vectors, draws, (mean, drawn) => {
        const drawFixed = (label: string) => drawn[label as TraitFamily] ?? 0.5;
        expect(labelFamilies(buildKnownVector(mean), drawFixed)).toEqual(
          labelFamilies(buildKnownVector(mean), drawFixed),
        );
      }),
    );
  });

  test('cannot estimate a single trait from all labels better than with a correlation of 0.75', () => {
    const random = createSeededRandom(11);
    const members = Array.from({ length: 4_000 }, () => drawMember(random));
    const labelled = members.map((mean) => ({
      mean,
      tiers: labelFamilies(buildKnownVector(mean), () => random()),
    }));
    for (const [family, codes] of Object.entries(traitFamilies) as [TraitFamily, readonly string[]][]) {
      const slot = traitCodes.indexOf(codes[0] as (typeof traitCodes)[number]);
      // The best estimate that a label allows is the mean of all members with this label.
      const meanByTier = new Map(
        traitTiers.map((tier) => {
          const alike = labelled.filter(({ tiers }) => tiers[family] === tier);
          return [tier, alike.reduce((sum, { mean }) => sum + mean[slot]!, 0) / alike.length];
        }),
      );
      const correlation = computeCorrelation(
        labelled.map(({ tiers }) => meanByTier.get(tiers[family])!),
        labelled.map(({ mean }) => mean[slot]!),
      );
      expect(correlation).toBeLessThan(0.75);
    }
  });
});

/** Finds the level at which a member's label changes from `moderate` to `strong`. */
function findChange(drawFixed: () => number): number {
  for (let value = -0.5; value < 2; value += 0.001) {
    const vector = fillSlots(value);
    if (labelFamilies(vector, drawFixed).drive_architecture === 'strong')
      return computeLevel(vector, traitFamilies.drive_architecture).mean;
  }
  throw new Error('the label never changes');
}

/** Draws a member whose traits correlate as the measurement assumes. */
function drawMember(random: () => number): number[] {
  const general = Math.sqrt(0.1) * drawStandardNormal(random);
  const families = traitFamilyNames.map(() => Math.sqrt(0.3) * drawStandardNormal(random));
  return traitCodes.map(
    (_, slot) => general + families[Math.floor(slot / 4)]! + Math.sqrt(0.6) * drawStandardNormal(random),
  );
}

function computeDeviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

function computeCorrelation(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [one, other].map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  });
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, index) => sum + value * y[index]!, 0);
  return dot(a!, b!) / Math.sqrt(dot(a!, a!) * dot(b!, b!));
}

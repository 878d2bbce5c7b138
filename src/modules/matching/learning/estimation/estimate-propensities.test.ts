import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { logistic } from '@tessera/psychometrics';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { neutralMultipliers } from '#modules/matching/matches';
import { computeChoiceProbabilities, estimateGain } from './estimate-gain.ts';
import { estimatePropensities } from './estimate-propensities.ts';
import { feature_count } from './features.ts';

const candidates_count = 6;
const wrongModel = new Float64Array(feature_count);
const candidate = neutralMultipliers.map((_, trait) => (trait < 10 ? 1.08 : 0.92));

/** Draws choices of organisations that prefer the first five traits, as strongly as said. Outcomes depend on the first ten. */
function drawChoices(count: number, preference: number, seed: number) {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const rows = Array.from({ length: candidates_count }, () =>
      Float64Array.from({ length: feature_count }, (__, place) =>
        place === feature_count - 1 ? 1 : drawStandardNormal(random) / 4,
      ),
    );
    const sumFirst = (row: Float64Array, traits: number) =>
      row.subarray(0, traits).reduce((sum, each) => sum + each, 0);
    const shares = rows.map((row) => Math.exp(preference * sumFirst(row, 5)));
    let rest = random() * shares.reduce((sum, share) => sum + share, 0);
    const chosen = Math.max(
      0,
      shares.findIndex((share) => (rest -= share) < 0),
    );
    const sorted = [rows[chosen]!, ...rows.filter((__, row) => row !== chosen)];
    const values = sorted.map((row) => logistic(2 * sumFirst(row, 10)));
    const total = shares.reduce((sum, share) => sum + share, 0);
    return {
      candidates: Float64Array.from(sorted.flatMap((row) => [...row])),
      logged: Array<number>(candidates_count).fill(1 / candidates_count),
      truth: shares[chosen]! / total,
      values,
      value: random() < values[0]! ? 1 : 0,
      weight: 1,
      org_id: String(index % 40),
      occupation_group: null,
    };
  });
}

type Drawn = ReturnType<typeof drawChoices>;

const computeTrueGain = (choices: Drawn) =>
  choices.reduce((sum, { candidates, values }) => {
    const [before, after] = [neutralMultipliers, candidate].map((multipliers) =>
      computeChoiceProbabilities(candidates, multipliers),
    );
    return sum + values.reduce((part, value, row) => part + (after![row]! - before![row]!) * value, 0);
  }, 0) / choices.length;

const estimate = (choices: Drawn, propensities: readonly number[]) =>
  estimateGain(
    choices.map((choice, index) => ({ ...choice, propensity: propensities[index]! })),
    { live: () => neutralMultipliers, candidate: () => candidate, model: () => wrongModel },
  ).gain;

it('if organisations take the first one, the propensities are the logged ones', () => {
  for (const propensity of estimatePropensities(drawChoices(4_000, 0, 1)))
    expect(Math.abs(propensity * candidates_count - 1)).toBeLessThan(0.35);
});

it('if organisations prefer some features, it finds how probable their choices were', () => {
  const choices = drawChoices(4_000, 2, 2);
  const propensities = estimatePropensities(choices);
  const error = propensities.reduce((sum, each, index) => sum + Math.abs(each - choices[index]!.truth), 0);
  expect(error / choices.length).toBeLessThan(0.02);
});

it('with estimated propensities the gain is right although organisations have preferences and the model is wrong; with the logged ones it is not', () => {
  const choices = drawChoices(10_000, 2, 3);
  const truth = computeTrueGain(choices);
  const logged = estimate(
    choices,
    choices.map(({ logged: [propensity] }) => propensity!),
  );
  const estimated = estimate(choices, estimatePropensities(choices));
  expect(truth).toBeGreaterThan(0.01);
  expect(Math.abs(estimated / truth - 1)).toBeLessThan(0.25);
  expect(Math.abs(logged / truth - 1)).toBeGreaterThan(0.4);
});

it('gives a probability for any choices, and what was logged without evidence', () => {
  const set = fc.integer({ min: 1, max: 4 }).chain((rows) =>
    fc.record({
      candidates: fc
        .array(fc.double({ min: -4, max: 4, noNaN: true }), {
          minLength: rows * feature_count,
          maxLength: rows * feature_count,
        })
        .map((numbers) => Float64Array.from(numbers)),
      logged: fc.array(fc.double({ min: 1e-4, max: 1, noNaN: true }), { minLength: rows, maxLength: rows }),
      weight: fc.double({ min: 0, max: 6, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(fc.array(set, { maxLength: 12 }), (sets) => {
      for (const propensity of estimatePropensities(sets)) {
        expect(propensity).toBeGreaterThanOrEqual(0);
        expect(propensity).toBeLessThanOrEqual(1);
      }
      const silent = sets.map((each) => ({ ...each, weight: 0 }));
      for (const [index, propensity] of estimatePropensities(silent).entries()) {
        const { logged } = silent[index]!;
        expect(propensity).toBeCloseTo(logged[0]! / logged.reduce((sum, each) => sum + each, 0), 9);
      }
    }),
    { numRuns: 40 },
  );
});

import { expect, it } from 'vitest';
import { logistic } from '@tessera/psychometrics';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { neutralMultipliers } from '#modules/matching/matches';
import {
  computeChoiceProbabilities,
  computeEffectiveShare,
  estimateGain,
  type Choice,
} from './estimate-gain.ts';
import { feature_count, trait_count } from './features.ts';
import { estimateValue } from '#test/modules/estimate-value.ts';

const candidates_count = 4;
const wrongModel = new Float64Array(feature_count);
const candidate = neutralMultipliers.map((_, trait) => (trait < 10 ? 1.08 : 0.92));

/** Draws choices with equal probability, whose outcomes depend on the first ten traits only. */
function drawChoices(count: number, seed: number): readonly (Choice & { readonly truth: Float64Array })[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const candidates = Float64Array.from({ length: candidates_count * feature_count }, (__, place) =>
      place % feature_count === feature_count - 1 ? 1 : drawStandardNormal(random) / 4,
    );
    const truth = Float64Array.from({ length: candidates_count }, (__, row) => {
      let sum = 0;
      for (let trait = 0; trait < 10; trait += 1) sum += 2 * candidates[row * feature_count + trait]!;
      return logistic(sum);
    });
    const value = random() < truth[0]! ? 1 : 0;
    return {
      candidates,
      truth,
      value,
      propensity: 1 / candidates_count,
      weight: 1,
      org_id: String(index % 40),
      occupation_group: null,
    };
  });
}

const computeTrueValue = (choices: ReturnType<typeof drawChoices>, multipliers: readonly number[]) =>
  choices.reduce((sum, { candidates, truth }) => {
    const probabilities = computeChoiceProbabilities(candidates, multipliers);
    return sum + probabilities.reduce((part, probability, row) => part + probability * truth[row]!, 0);
  }, 0) / choices.length;

it('finds the true gain even with a wrong model, and its bound is below it', () => {
  const choices = drawChoices(20_000, 1);
  const truth = computeTrueValue(choices, candidate) - computeTrueValue(choices, neutralMultipliers);
  expect(truth).toBeGreaterThan(0.01);
  const estimate = estimateGain(choices, {
    live: () => neutralMultipliers,
    candidate: () => candidate,
    model: () => wrongModel,
  });
  expect(estimate.gain).toBeCloseTo(truth, 2);
  expect(estimate.lower_bound).toBeLessThan(estimate.gain);
  expect(estimate.lower_bound).toBeGreaterThan(0);
  expect(estimate).toMatchObject({ outcomes: 20_000, organisations: 40 });
});

it('a policy gains nothing over itself, and nothing follows from no outcomes', () => {
  const same = { live: () => candidate, candidate: () => candidate, model: () => wrongModel };
  expect(estimateGain(drawChoices(200, 2), same)).toMatchObject({ gain: 0, lower_bound: 0 });
  expect(estimateGain([], same)).toMatchObject({ gain: 0, lower_bound: -Infinity, effective_share: 0 });
});

it('outcomes of one organisation give no certainty, however many there are', () => {
  const choices = drawChoices(2_000, 3).map((choice) => ({ ...choice, org_id: 'one' }));
  const estimate = estimateGain(choices, {
    live: () => neutralMultipliers,
    candidate: () => candidate,
    model: () => wrongModel,
  });
  expect(estimate.lower_bound).toBeLessThanOrEqual(estimate.gain);
  expect(Number.isNaN(estimate.lower_bound) || estimate.lower_bound === -Infinity).toBe(true);
});

it('the three estimators agree with the true value of a policy', () => {
  const choices = drawChoices(20_000, 4);
  const truth = computeTrueValue(choices, candidate);
  const { ips, snips, doubly_robust } = estimateValue(choices, candidate, wrongModel);
  for (const estimate of [ips, snips, doubly_robust]) expect(estimate).toBeCloseTo(truth, 1);
});

it('the effective share is 1 for equal importances, and 1/n if one has all', () => {
  expect(computeEffectiveShare([2, 2, 2, 2])).toBe(1);
  expect(computeEffectiveShare([1, 0, 0, 0])).toBe(0.25);
  expect(computeEffectiveShare([])).toBe(0);
});

it('probabilities sum to one and prefer the better fit', () => {
  const { candidates } = drawChoices(1, 5)[0]!;
  const probabilities = computeChoiceProbabilities(candidates, neutralMultipliers);
  expect(probabilities.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12);
  const fits = Array.from({ length: candidates_count }, (_, row) =>
    candidates
      .slice(row * feature_count, row * feature_count + trait_count)
      .reduce((sum, each) => sum + each, 0),
  );
  expect(probabilities.indexOf(Math.max(...probabilities))).toBe(fits.indexOf(Math.max(...fits)));
});

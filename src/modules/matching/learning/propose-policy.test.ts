import { expect, test } from 'vitest';
import { logistic } from '@tessera/psychometrics';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { all_jobs } from '#modules/matching/matches';
import { policyBounds } from './estimation/derive-multipliers.ts';
import { feature_count, trait_count } from './estimation/features.ts';
import { buildModels } from './estimation/build-models.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { proposePolicy } from './propose-policy.ts';
import type { Observation } from './store-observations.ts';

/** Draws honest outcomes of organisations: all traits count alike. */
function drawHonest(count: number, seed: number): Observation[] {
  const random = createSeededRandom(seed);
  const drawFeatures = () =>
    Array.from({ length: feature_count }, (_, place) =>
      place === feature_count - 1 ? 1 : place < trait_count ? drawStandardNormal(random) / 4 : 0,
    );
  return Array.from({ length: count }, (_, index) => {
    const features = drawFeatures();
    const fit = features.slice(0, trait_count).reduce((sum, each) => sum + each, 0);
    return {
      features,
      propensity: 1 / 8,
      value: random() < logistic(fit) ? 1 : 0,
      weight: 1,
      org_id: `org ${index % 30}`,
      member_id: `member ${index}`,
      occupation_group: null,
      observed_at: new Date(0),
      evaluates: index % 5 >= 3,
      candidates: Array.from({ length: 7 }, (__, other) => ({
        member_id: `other ${other}`,
        features: drawFeatures(),
        propensity: 1 / 8,
      })),
    };
  });
}

/** Fake accounts of one organisation: members with the first trait fail, and members with the second succeed. */
function drawPoison(count: number): Observation[] {
  const random = createSeededRandom(99);
  return Array.from({ length: count }, (_, index) => {
    const sign = index % 2 === 0 ? 1 : -1;
    const features = Array.from({ length: feature_count }, (__, place) =>
      place === 0
        ? sign
        : place === 1
          ? -sign
          : place === feature_count - 1
            ? 1
            : drawStandardNormal(random) / 4,
    );
    const value = sign === 1 ? 0 : 1;
    const candidates = [{ member_id: 'other', features: features.map((each) => -each), propensity: 1 / 2 }];
    return {
      features,
      propensity: 1 / 2,
      value,
      weight: 5.75,
      org_id: 'campaign',
      member_id: `fake ${index}`,
      occupation_group: null,
      observed_at: new Date(0),
      evaluates: index % 5 >= 3,
      candidates,
    };
  });
}

test('a campaign of one organisation with any number of accounts has a tenth of the weight, and moves no policy beyond a step', () => {
  const honest = drawHonest(3_000, 1);
  const buildPoisonedModels = (count: number) =>
    buildModels([...honest, ...drawPoison(count)].filter((each) => !each.evaluates))!;
  const [some, many] = [buildPoisonedModels(1_000).all.mean, buildPoisonedModels(10_000).all.mean];
  // Ten times the accounts have the same weight as before.
  for (const [place, value] of many.entries()) expect(value).toBeCloseTo(some[place]!, 1);
  const { multipliers } = proposePolicy([...honest, ...drawPoison(10_000)], {})!;
  for (const multiplier of multipliers[all_jobs]!)
    expect(Math.abs(multiplier - 1)).toBeLessThanOrEqual(policyBounds.step_max + 1e-9);
});

test('the candidate that a campaign wants is not promoted: one organisation gives no certainty', () => {
  const observations = [...drawHonest(3_000, 2), ...drawPoison(10_000)];
  const wanted = Array.from({ length: trait_count }, (_, trait) =>
    trait === 0 ? 0.92 : trait === 1 ? 1.08 : 1,
  );
  const { reasons } = evaluatePolicy(
    observations,
    {
      live: { version: 1, multipliers: {} },
      candidate: { version: 2, multipliers: { [all_jobs]: wanted } },
    },
    [],
  );
  expect(reasons).not.toEqual([]);
});

test('outcomes of fewer than ten organisations propose nothing', () => {
  const few = drawHonest(2_000, 3).filter((_, index) => index % 30 < 9);
  expect(proposePolicy(few, {})).toBeUndefined();
  expect(proposePolicy([], {})).toBeUndefined();
});

test('a proposal keeps the multipliers of families without enough outcomes', () => {
  const kept = Array<number>(trait_count).fill(0.9);
  const { multipliers } = proposePolicy(drawHonest(2_000, 4), { 15: kept })!;
  expect(multipliers['15']).toEqual(kept);
  expect(Object.keys(multipliers)).toContain(all_jobs);
});

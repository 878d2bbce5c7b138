import { expect, test } from 'vitest';
import { createSeededRandom, drawBelow, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { fitLogistic, logistic } from '@tessera/psychometrics';
import { buildPrior } from './outcome-priors.ts';
import { feature_count, joinOutcomes, trait_count } from './features.ts';
import { fitTrusted, joinByOrganisation, type OrganisationOutcome } from './fit-trusted.ts';

const fit = (outcomes: readonly OrganisationOutcome[]) =>
  fitTrusted(buildPrior(), joinByOrganisation(outcomes));

/** Outcomes that follow the fit. Organisations with a number below `liars` say the opposite of the first trait. */
function drawOutcomes({
  count,
  organisations,
  liars = 0,
  seed = 1,
}: Readonly<Record<'count' | 'organisations', number>> & {
  liars?: number;
  seed?: number;
}): readonly OrganisationOutcome[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, () => {
    const features = Array.from({ length: feature_count }, () => drawStandardNormal(random) / 4);
    const organisation = drawBelow(random, organisations);
    const sum = features.slice(0, trait_count).reduce((total, feature) => total + 2 * feature, 0);
    const value = organisation < liars ? features[0]! < 0 : random() < logistic(sum);
    return { org_id: `${organisation}`, features, value: value ? 1 : 0, weight: 1 };
  });
}

test('organisations that agree are trusted, and the fit is that of all outcomes', () => {
  const outcomes = drawOutcomes({ count: 6_000, organisations: 40 });
  const { fit: trusted, trust } = fit(outcomes);
  expect(trust.size).toBe(0);
  const plain = fitLogistic(buildPrior(), joinOutcomes(outcomes));
  for (const [place, coefficient] of trusted.mean.entries())
    expect(coefficient).toBeCloseTo(plain.mean[place]!, 3);
});

test('organisations that lie about a trait hardly move its coefficient, and are known', () => {
  const outcomes = drawOutcomes({ count: 6_000, organisations: 40, liars: 6 });
  const { fit: trusted, trust } = fit(outcomes);
  for (const org_id of ['0', '1', '2', '3', '4', '5']) expect(trust.get(org_id)).toBeLessThan(0.1);
  const honest = fitLogistic(
    buildPrior(),
    joinOutcomes(outcomes.filter(({ org_id }) => Number(org_id) >= 6)),
  );
  const misled = fitLogistic(buildPrior(), joinOutcomes(outcomes));
  expect(Math.abs(trusted.mean[0]! - honest.mean[0]!)).toBeLessThan(0.05);
  expect(Math.abs(misled.mean[0]! - honest.mean[0]!)).toBeGreaterThan(0.5);
});

test('few outcomes of an organisation, or outcomes without weight, are not judged', () => {
  const few = drawOutcomes({ count: 300, organisations: 40, liars: 5 });
  expect(fit(few).trust.size).toBe(0);
  const nothing = drawOutcomes({ count: 300, organisations: 3 }).map((each) => ({ ...each, weight: 0 }));
  const { fit: unmoved, trust } = fit(nothing);
  expect(trust.size).toBe(0);
  expect([...unmoved.mean]).toEqual([...buildPrior().mean]);
  expect(fit([]).trust.size).toBe(0);
});

test('the weights of one organisation do not decide whether it is trusted', () => {
  const outcomes = drawOutcomes({ count: 6_000, organisations: 40, liars: 1 });
  const weighted = outcomes.map((each) => (each.org_id === '0' ? { ...each, weight: 0.5 } : each));
  expect(fit(weighted).trust.get('0')).toBeLessThan(0.1);
});

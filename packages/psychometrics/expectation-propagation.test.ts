import { expect, test } from 'vitest';
import { computeLogEvidence, fillNormalWeights, getItemCurves, grid } from './index.ts';

const items = [
  { discrimination: 1.8, thresholds: [-1.5, -0.4, 0.6, 1.7] },
  { discrimination: 1.2, thresholds: [-0.9, 0.1, 1.1, 2] },
];

test('the evidence without answers is zero, and of one trait the mean of the likelihood', () => {
  expect(computeLogEvidence([[1]], [])).toBe(0);
  const likelihood = getItemCurves(items[0]!).logLikelihood[3]!.map(Math.exp);
  const weights = new Float64Array(grid.length);
  fillNormalWeights(weights, 0, 1);
  const [sum, total] = [
    weights.reduce((all, weight, point) => all + weight * likelihood[point]!, 0),
    weights.reduce((all, weight) => all + weight, 0),
  ];
  expect(computeLogEvidence([[1]], [{ trait: 0, likelihood }])).toBeCloseTo(Math.log(sum / total), 6);
});

test('the evidence of two correlated traits agrees with a sum over both', () => {
  for (const [one, other] of [
    [4, 4],
    [0, 4],
    [2, 3],
  ] as const) {
    const likelihoods = [
      getItemCurves(items[0]!).logLikelihood[one]!.map(Math.exp),
      getItemCurves(items[1]!).logLikelihood[other]!.map(Math.exp),
    ];
    const r = 0.6;
    let [sum, total] = [0, 0];
    for (const [row, x] of grid.entries())
      for (const [column, y] of grid.entries()) {
        const density = Math.exp(-(x * x - 2 * r * x * y + y * y) / 2 / (1 - r * r));
        total += density;
        sum += density * likelihoods[0]![row]! * likelihoods[1]![column]!;
      }
    const evidence = computeLogEvidence(
      [
        [1, r],
        [r, 1],
      ],
      likelihoods.map((likelihood, trait) => ({ trait, likelihood })),
    );
    expect(evidence).toBeCloseTo(Math.log(sum / total), 2);
  }
});

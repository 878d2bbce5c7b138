import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { computeCorrelation } from '@tessera/psychometrics';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import {
  simulateAssessment,
  simulateMember,
} from '../../src/modules/measurement/traits/measurement/simulated-member.ts';

/** How well the traits are known after a number of items: of all estimates, with all members and traits together. */
export type Precision = {
  readonly items: string;
  readonly r: number;
  readonly rmse: number;
  /** The share of true values within the 95 % bounds. */
  readonly covered: number;
  /** The median number of items that were answered. */
  readonly median_items: number;
};

const stops = [30, 50, 70, Infinity] as const;

/** Simulates whole assessments of members from the prior population, and compares their results on the way with the true values. */
export function measurePrecision(size: number): readonly Precision[] {
  const random = createSeededRandom(20);
  const runs = Array.from({ length: size }, (_, index) => {
    const member = simulateMember(random);
    return { member, answers: simulateAssessment(member, `precision-${index}`, random) };
  });
  return stops.map((stop) => {
    const estimates = runs.flatMap(({ member, answers }) => {
      const { mean, variance } = computePosterior(answers.slice(0, stop));
      return member.traits.map((truth, slot) => ({ truth, mean: mean[slot]!, variance: variance[slot]! }));
    });
    const lengths = runs.map(({ answers }) => Math.min(stop, answers.length)).toSorted((a, b) => a - b);
    return {
      items: stop === Infinity ? 'all' : String(stop),
      r: computeCorrelation(
        estimates.map(({ truth }) => truth),
        estimates.map(({ mean }) => mean),
      ),
      rmse: Math.sqrt(average(estimates.map(({ truth, mean }) => (truth - mean) ** 2))),
      covered: average(
        estimates.map(({ truth, mean, variance }) =>
          Number(Math.abs(truth - mean) <= 1.96 * Math.sqrt(variance)),
        ),
      ),
      median_items: lengths[Math.floor(size / 2)]!,
    };
  });
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

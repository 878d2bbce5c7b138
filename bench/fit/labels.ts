import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { builtInNorms, computeCategoricalPosterior, type TraitPriorities } from '#modules/measurement/traits';
import { computeFit, computeFitWeights, type FitWeights } from '../../src/modules/matching/engine/fit.ts';
import {
  computeRetestProbability,
  computeTier,
  toConfidenceLevel,
} from '../../src/modules/matching/engine/tiers.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import { simulateMember } from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import {
  buildLatentVector,
  type LatentVector,
} from '../../src/modules/measurement/traits/measurement/trait-vector.ts';
import { simulateAssessment } from '../../test/modules/simulated-assessment.ts';

/** Labels with a predicted probability in one range: how many there are, the mean prediction, and how many were the same after a retest. */
export type CalibrationBin = { count: number; predicted: number; same: number };

/** How labels behave on a retest: by predicted probability in steps of 0.1, by level, and in total. */
export type RetestResult = {
  readonly bins: readonly CalibrationBin[];
  readonly levels: ReadonlyMap<string, CalibrationBin>;
  readonly total: CalibrationBin;
};

/**
 * Assesses simulated members twice, each time with a whole adaptive assessment, and compares the tiers of all matches with a fit above
 * average. The predictions come from the first assessment alone.
 */
export function measureRetests(jobs: readonly TraitPriorities[], size: number): RetestResult {
  const weights = jobs.map((job) => computeFitWeights(job, builtInNorms));
  const random = createSeededRandom(8);
  const bins = Array.from({ length: 10 }, createBin);
  const levels = new Map(['high', 'medium', 'low'].map((level) => [level, createBin()]));
  const total = createBin();
  for (let index = 0; index < size; index++) {
    const member = simulateMember(random);
    const measure = (turn: string) => {
      const answers = simulateAssessment(member, `${index}-${turn}`, random);
      const ways = (['decision_mode', 'conflict_style'] as const).map((trait) =>
        computeCategoricalPosterior(trait, answers),
      );
      return buildLatentVector(computePosterior(answers), ways);
    };
    countLabels(weights, measure('first'), measure('second'), { bins, levels, total });
  }
  return { bins, levels, total };
}

function countLabels(
  jobs: readonly FitWeights[],
  first: LatentVector,
  second: LatentVector,
  { bins, levels, total }: RetestResult,
): void {
  for (const weights of jobs) {
    const fit = computeFit(weights, first.mean, first.variance);
    if (fit.mean <= 0) continue;
    const again = computeFit(weights, second.mean, second.variance);
    const predicted = computeRetestProbability(fit.mean, fit.sd, weights.shared_sd);
    const same = Number(
      computeTier(fit.mean, fit.sd, weights.shared_sd) ===
        computeTier(again.mean, again.sd, weights.shared_sd),
    );
    const level = levels.get(toConfidenceLevel(predicted))!;
    for (const bin of [bins[Math.min(9, Math.floor(10 * predicted))]!, level, total]) {
      bin.count += 1;
      bin.predicted += predicted;
      bin.same += same;
    }
  }
}

function createBin(): CalibrationBin {
  return { count: 0, predicted: 0, same: 0 };
}

import { computeFit, computeTier, matchQualities, type FitWeights } from '#modules/matching/engine';
import type { LatentVector } from '#modules/measurement/traits';

/** What becomes of the tiers of members for jobs. */
export type TierMoves = {
  readonly jobs: number;
  /** The jobs whose list changes: in which at least one tier moves. */
  readonly lists: number;
  readonly kept: number;
  readonly better: number;
  readonly worse: number;
};

/** The positions of members and the weights of jobs, each in the same order on both sides of a comparison. */
export type Ranked = {
  readonly vectors: readonly LatentVector[];
  readonly weights: readonly FitWeights[];
};

/** Counts how the tiers of the same members for the same jobs move from one side to the other. It asks of no job whether a member may have it. */
export function countMoves(before: Ranked, after: Ranked): TierMoves {
  const moves = before.weights.map((_, job) =>
    before.vectors.map((__, member) => rankTier(before, member, job) - rankTier(after, member, job)),
  );
  const count = (sign: number) => moves.flat().filter((move) => Math.sign(move) === sign).length;
  return {
    jobs: moves.length,
    lists: moves.filter((job) => job.some((move) => move !== 0)).length,
    kept: count(0),
    better: count(1),
    worse: count(-1),
  };
}

/** The position of a tier: 0 for the best. */
function rankTier({ vectors, weights }: Ranked, member: number, job: number): number {
  const { mean, variance } = vectors[member]!;
  const fit = computeFit(weights[job]!, mean, variance);
  return matchQualities.indexOf(computeTier(fit.mean, fit.sd, weights[job]!.shared_sd));
}

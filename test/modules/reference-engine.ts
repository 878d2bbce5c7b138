import { builtInNorms, traitCodes, type TraitCode, type TraitNorms } from '#modules/measurement/traits';

/*
 * A slow and simple reference implementation of `scan.ts`, `fit.ts`, `tiers.ts` and `shortlist.ts`: plain doubles, full matrices, full sorts,
 * and probabilities by numerical integration. Tests compare the engine with it. It shares no code with the engine, but the same norms.
 */

/** A member in the reference implementation: posterior means and variances in slot order. */
export type ReferenceMember = {
  readonly member_id: string;
  readonly mean: readonly number[];
  readonly variance: readonly number[];
};

/** A posterior of a fit, and the standard deviation of the error that it shares with all others. */
export type ReferenceFit = { readonly mean: number; readonly sd: number; readonly shared_sd: number };

type Priorities = Readonly<Partial<Record<TraitCode, number>>>;

/** Computes the exact top `k` by integer score, with equal scores in the given order. */
export function computeReferenceTop(
  members: readonly ReferenceMember[],
  weights: readonly number[],
  k: number,
): readonly { readonly member_id: string; readonly score: number }[] {
  return members
    .map((member) => ({
      member_id: member.member_id,
      score: dot(weights.slice(0, 20), computeReferenceSlots(member.mean).map(toInt8)),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, k);
}

/** Computes what remains of the traits if 0.9 of what the fit for typical work predicts is removed: (I - 0.9 R t t' / t'Rt) mu, clamped. */
export function computeReferenceSlots(mean: readonly number[]): readonly number[] {
  return removalMatrix.map((row) => Math.max(-127 / 32, Math.min(127 / 32, dot(row, mean))));
}

/**
 * Computes the fit by its definition with full matrices. With M = I - 0.9 R t t' / t'Rt, it is w'M mu / sqrt(w'M R M'w), and its standard
 * deviation is sqrt(w'M S M'w / w'M R M'w). That of the error that all members share has the shared errors of the traits in place of S. M is
 * always that of the built-in norms; R is that of the norms in use.
 */
export function computeReferenceFit(
  member: ReferenceMember,
  priorities: Priorities,
  { correlations, shared_errors }: TraitNorms = builtInNorms,
): ReferenceFit {
  const weights = computeReferenceShares(priorities);
  const effects = traitCodes.map((_, column) =>
    dot(
      weights,
      removalMatrix.map((row) => row[column]!),
    ),
  );
  const scale = computeQuadraticForm(effects, correlations);
  const buildDiagonal = (values: readonly number[]) =>
    traitCodes.map((_, row) => traitCodes.map((_, column) => (row === column ? values[row]! : 0)));
  const posterior = buildDiagonal(member.variance);
  const shared = buildDiagonal(shared_errors.map((error) => error ** 2));
  return {
    mean: dot(weights, computeReferenceSlots(member.mean)) / Math.sqrt(scale),
    sd: Math.sqrt(computeQuadraticForm(effects, posterior) / scale),
    shared_sd: Math.sqrt(computeQuadraticForm(effects, shared) / scale),
  };
}

/**
 * Computes the shares of the traits, none above 0.4. What exceeds this goes evenly to the other measured traits. It is found by bisection:
 * the amount c for which the shares min(0.4, share + c) of the measured traits sum to what remains.
 */
export function computeReferenceShares(priorities: Priorities): readonly number[] {
  const sum = Object.values(priorities).reduce((total, priority) => total + priority, 0);
  const shares = traitCodes.map((code) => (priorities[code] ?? 0) / sum);
  const addToShares = (amount: number) =>
    shares.map((share, slot) => Math.min(0.4, share + (typicalWeights[slot] === 0 ? 0 : amount)));
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (addToShares(middle).reduce((total, share) => total + share, 0) < 1) low = middle;
    else high = middle;
  }
  return addToShares(low);
}

/** Computes the ids of a job's matches, highest lower bound first, by measuring and sorting all members with a fit above average. */
export function computeReferenceMatchIds(
  members: readonly ReferenceMember[],
  priorities: Priorities,
  limit: number,
): readonly string[] {
  return members
    .map((member) => ({ member_id: member.member_id, ...computeReferenceFit(member, priorities) }))
    .filter((match) => match.mean > 0)
    .sort(
      (a, b) => computeReferenceBound(b) - computeReferenceBound(a) || (a.member_id < b.member_id ? -1 : 1),
    )
    .slice(0, limit)
    .map((match) => match.member_id);
}

/** Computes P(z >= cut) for a normal posterior, by Simpson's rule over ten standard deviations. */
export function computeReferenceProbability(mean: number, sd: number, cut: number): number {
  const steps = 4000;
  const to = Math.min(10, Math.max(-10, (mean - cut) / sd));
  const width = (to + 10) / steps;
  let area = 0;
  for (let step = 0; step <= steps; step += 1) {
    const factor = step === 0 || step === steps ? 1 : step % 2 === 0 ? 2 : 4;
    area += factor * Math.exp(-((-10 + step * width) ** 2) / 2);
  }
  return (area * width) / 3 / Math.sqrt(2 * Math.PI);
}

/** Computes the number that the fit reaches with 80 %, if the shared error is at the 20 % of its draws that favour the member most. */
export function computeReferenceBound({ mean, sd, shared_sd }: ReferenceFit): number {
  return mean - quantile * shared_sd - quantile * computeOwnDeviation(sd, shared_sd);
}

function computeOwnDeviation(sd: number, shared_sd: number): number {
  return sd > shared_sd ? Math.sqrt(sd ** 2 - shared_sd ** 2) : 0;
}

/**
 * Computes the tier by comparing probabilities with the cuts, highest cut first: each the probability for the member alone, after a shared
 * error that is larger in 20 % of its draws.
 */
export function computeReferenceTier({ mean, sd, shared_sd }: ReferenceFit): string {
  const own = Math.max(1e-12, computeOwnDeviation(sd, shared_sd));
  const isReached = (cut: number) =>
    computeReferenceProbability(mean - quantile * shared_sd, own, cut) >= 0.8;
  if (isReached(1.5)) return 'exceptional';
  if (isReached(1)) return 'strong';
  return isReached(0.3) ? 'moderate' : 'developing';
}

const quantile = 0.8416212335729143;

function toInt8(mean: number): number {
  return Math.max(-127, Math.min(127, Math.round(32 * mean)));
}

/** The priorities of typical work, in slot order; 0 for the two categorical traits. */
export const typicalWeights = [
  [0.32, 0.25, 0.3, 0.2],
  [0.26, 0.19, 0.48, 0],
  [0.27, 0.17, 0.25, 0],
  [0.28, 0.3, 0.11, 0.28],
  [0.35, 0.44, 0.44, 0.22],
].flat();

const removalMatrix = ((products, variance) =>
  traitCodes.map((_, row) =>
    traitCodes.map(
      (_, column) => Number(row === column) - (0.9 * products[row]! * typicalWeights[column]!) / variance,
    ),
  ))(
  builtInNorms.correlations.map((row) => dot(row, typicalWeights)),
  computeQuadraticForm(typicalWeights, builtInNorms.correlations),
);

function computeQuadraticForm(weights: readonly number[], matrix: readonly (readonly number[])[]): number {
  return dot(
    weights,
    matrix.map((row) => dot(row, weights)),
  );
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

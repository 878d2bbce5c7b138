import { logistic } from './special-functions.ts';
import type { SymmetricMatrix } from './symmetric-matrix.ts';

/** Observations of a logistic model. Row i has its features, one for each coefficient, from i × (number of coefficients) on. */
export type Observations = {
  readonly features: Float64Array;
  /** From 0 to 1. */
  readonly values: Float64Array;
  /** How much each observation counts; from 0. */
  readonly weights: Float64Array;
  /** Where each part ends that is also summed up by itself. The last one ends with the rows. */
  readonly ends: readonly number[];
};

/** The sums of one pass over observations at some coefficients. Only the lower triangle of the curvature is filled. */
export type ObservationSums = {
  /** Σ ω (y - p) x: the gradient of the logarithm of the likelihood. */
  readonly gradient: Float64Array;
  /** Σ ω p (1 - p) x x': minus its second derivative. */
  readonly curvature: SymmetricMatrix;
  /** Minus the logarithm of the likelihood. */
  readonly loss: number;
};

/** How many observations are added to the curvature at once, so that each of its sums is read and written once for all of them. */
const block_rows = 4;

/** Sums up observations in one pass, each part by itself and all together. */
export function sumObservations(
  observations: Observations,
  coefficients: Float64Array,
): ObservationSums & { readonly parts: readonly ObservationSums[] } {
  const parts = observations.ends.map((end, part) =>
    sumPart(observations, coefficients, { from: observations.ends[part - 1] ?? 0, to: end }),
  );
  return { ...addSums(parts), parts };
}

function addSums(parts: readonly ObservationSums[]): ObservationSums {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const size = first ? first.gradient.length : 0;
  const gradient = new Float64Array(size);
  const curvature = new Float64Array(size * size);
  let loss = 0;
  for (const part of parts) {
    for (let i = 0; i < gradient.length; i += 1) gradient[i]! += part.gradient[i]!;
    for (let i = 0; i < curvature.length; i += 1) curvature[i]! += part.curvature[i]!;
    loss += part.loss;
  }
  return { gradient, curvature, loss };
}

function sumPart(
  { features, values, weights }: Observations,
  coefficients: Float64Array,
  { from: first, to }: { readonly from: number; readonly to: number },
): ObservationSums {
  const feature_count = coefficients.length;
  const gradient = new Float64Array(feature_count);
  const curvature = new Float64Array(feature_count * feature_count);
  const curvatures = new Float64Array(block_rows);
  let loss = 0;
  for (let begin = first; begin < to; begin += block_rows) {
    const end = Math.min(to, begin + block_rows);
    curvatures.fill(0);
    for (let row = begin; row < end; row += 1) {
      const from = row * feature_count;
      let sum = 0;
      for (let i = 0; i < feature_count; i += 1) sum += coefficients[i]! * features[from + i]!;
      const weight = weights[row]!;
      const value = values[row]!;
      const probability = logistic(sum);
      const residual = weight * (value - probability);
      curvatures[row - begin] = weight * probability * (1 - probability);
      loss += weight * (Math.max(sum, 0) - value * sum + Math.log1p(Math.exp(-Math.abs(sum))));
      for (let i = 0; i < feature_count; i += 1) gradient[i]! += residual * features[from + i]!;
    }
    if (end - begin === block_rows)
      addBlock(curvature, features, begin * feature_count, curvatures, feature_count);
    else
      for (let row = begin; row < end; row += 1)
        addRow(curvature, features, row * feature_count, curvatures[row - begin]!, feature_count);
  }
  return { gradient, curvature, loss };
}

function addRow(
  curvature: Float64Array,
  features: Float64Array,
  from: number,
  weight: number,
  feature_count: number,
): void {
  for (let i = 0; i < feature_count; i += 1) {
    const scaled = weight * features[from + i]!;
    for (let j = 0; j <= i; j += 1) curvature[i * feature_count + j]! += scaled * features[from + j]!;
  }
}

/**
 * Adds four observations to the curvature, two rows of it at a time. Written out, because numbers then stay in registers: less than half the time of four single rows. It also
 * fills the places right of the diagonal in every other row, which nobody reads. If the number of coefficients is odd, the last pair reaches beyond the end of the curvature,
 * where a typed array ignores what is written.
 */
function addBlock(
  curvature: Float64Array,
  features: Float64Array,
  a: number,
  curvatures: Float64Array,
  feature_count: number,
): void {
  const b = a + feature_count;
  const c = b + feature_count;
  const d = c + feature_count;
  const wa = curvatures[0]!;
  const wb = curvatures[1]!;
  const wc = curvatures[2]!;
  const wd = curvatures[3]!;
  for (let i = 0; i < feature_count; i += 2) {
    const xa = wa * features[a + i]!;
    const xb = wb * features[b + i]!;
    const xc = wc * features[c + i]!;
    const xd = wd * features[d + i]!;
    const ya = wa * features[a + i + 1]!;
    const yb = wb * features[b + i + 1]!;
    const yc = wc * features[c + i + 1]!;
    const yd = wd * features[d + i + 1]!;
    const upper = i * feature_count;
    const lower = upper + feature_count;
    for (let j = 0; j <= i + 1; j += 1) {
      const fa = features[a + j]!;
      const fb = features[b + j]!;
      const fc = features[c + j]!;
      const fd = features[d + j]!;
      curvature[upper + j]! += xa * fa + xb * fb + (xc * fc + xd * fd);
      curvature[lower + j]! += ya * fa + yb * fb + (yc * fc + yd * fd);
    }
  }
}

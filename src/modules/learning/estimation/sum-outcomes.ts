import { feature_count, logistic, type Outcomes } from './features.ts';
import type { SymmetricMatrix } from './symmetric-matrix.ts';

/** The sums of one pass over outcomes at some coefficients. Only the lower triangle of the curvature is filled. */
export type OutcomeSums = {
  /** Σ ω (y - p) x: the gradient of the logarithm of the likelihood. */
  readonly gradient: Float64Array;
  /** Σ ω p (1 - p) x x': minus its second derivative. */
  readonly curvature: SymmetricMatrix;
  /** Minus the logarithm of the likelihood. */
  readonly loss: number;
};

/** How many outcomes are added to the curvature at once, so that each of its sums is read and written once for all of them. */
const block_rows = 8;

/** Sums up outcomes in one pass. */
export function sumOutcomes(outcomes: Outcomes, coefficients: Float64Array): OutcomeSums {
  const { features, values, weights } = outcomes;
  const gradient = new Float64Array(feature_count);
  const curvature = new Float64Array(feature_count * feature_count);
  const curvatures = new Float64Array(block_rows);
  let loss = 0;
  const rows = values.length;
  for (let begin = 0; begin < rows; begin += block_rows) {
    const end = Math.min(rows, begin + block_rows);
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
    if (end - begin === block_rows) addBlock(curvature, features, begin * feature_count, curvatures);
    else
      for (let row = begin; row < end; row += 1)
        addRow(curvature, features, row * feature_count, curvatures[row - begin]!);
  }
  return { gradient, curvature, loss };
}

function addRow(curvature: Float64Array, features: Float64Array, from: number, weight: number): void {
  for (let i = 0; i < feature_count; i += 1) {
    const scaled = weight * features[from + i]!;
    for (let j = 0; j <= i; j += 1) curvature[i * feature_count + j]! += scaled * features[from + j]!;
  }
}

/** Adds eight outcomes to the curvature. Written out, because the sums then stay in registers: half the time of eight single rows. */
function addBlock(
  curvature: Float64Array,
  features: Float64Array,
  from: number,
  curvatures: Float64Array,
): void {
  const [a, b, c, d] = [from, from + feature_count, from + 2 * feature_count, from + 3 * feature_count];
  const [e, f, g, h] = [
    a + 4 * feature_count,
    b + 4 * feature_count,
    c + 4 * feature_count,
    d + 4 * feature_count,
  ];
  for (let i = 0; i < feature_count; i += 1) {
    const wa = curvatures[0]! * features[a + i]!;
    const wb = curvatures[1]! * features[b + i]!;
    const wc = curvatures[2]! * features[c + i]!;
    const wd = curvatures[3]! * features[d + i]!;
    const we = curvatures[4]! * features[e + i]!;
    const wf = curvatures[5]! * features[f + i]!;
    const wg = curvatures[6]! * features[g + i]!;
    const wh = curvatures[7]! * features[h + i]!;
    const place = i * feature_count;
    for (let j = 0; j <= i; j += 1)
      curvature[place + j]! +=
        wa * features[a + j]! +
        wb * features[b + j]! +
        wc * features[c + j]! +
        wd * features[d + j]! +
        we * features[e + j]! +
        wf * features[f + j]! +
        wg * features[g + j]! +
        wh * features[h + j]!;
  }
}

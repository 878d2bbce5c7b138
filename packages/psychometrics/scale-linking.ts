import { fillNormalWeights, grid } from './item-curves.ts';
import type { ItemParameters } from './graded-response.ts';
import { logistic } from './special-functions.ts';

/** How a scale becomes another one: position on the other = slope x position + intercept. */
export type ScaleLink = { readonly slope: number; readonly intercept: number };

/** The parameters of an anchor item on both scales. */
export type Anchor = { readonly from: ItemParameters; readonly to: ItemParameters };

const rounds_max = 50;
const tolerance = 1e-10;

/**
 * Finds the link by which the anchors together are expected to be answered alike on both scales (Stocking and Lord 1983, Appl Psychol Meas 7): minimises the
 * squared difference of the expected sums of scores over a standard normal population of the scale `to`, by Gauss and Newton from the link that
 * equates mean and spread of the thresholds.
 */
export function linkScales(anchors: readonly Anchor[]): ScaleLink {
  let link = startLink(anchors);
  for (let round = 0; round < rounds_max; round++) {
    const step = computeStep(anchors, link);
    link = { slope: Math.max(0.05, link.slope + step.slope), intercept: link.intercept + step.intercept };
    if (Math.abs(step.slope) + Math.abs(step.intercept) < tolerance) break;
  }
  return link;
}

/** Puts the parameters of an item onto the other scale. */
export function moveParameters(
  { discrimination, thresholds }: ItemParameters,
  { slope, intercept }: ScaleLink,
): ItemParameters {
  return {
    discrimination: discrimination / slope,
    thresholds: thresholds.map((threshold) => slope * threshold + intercept),
  };
}

function startLink(anchors: readonly Anchor[]): ScaleLink {
  const [from, to] = [
    anchors.flatMap((each) => each.from.thresholds),
    anchors.flatMap((each) => each.to.thresholds),
  ].map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    return { mean, spread };
  });
  const slope = from!.spread > 0 && to!.spread > 0 ? to!.spread / from!.spread : 1;
  return { slope, intercept: to!.mean - slope * from!.mean };
}

const weights = new Float64Array(grid.length);
const difference = 1e-5;

function computeStep(anchors: readonly Anchor[], link: ScaleLink): ScaleLink {
  fillNormalWeights(weights, 0, 1);
  const residuals = computeResiduals(anchors, link);
  const bySlope = computeResiduals(anchors, { ...link, slope: link.slope + difference });
  const byIntercept = computeResiduals(anchors, { ...link, intercept: link.intercept + difference });
  let [ss, si, ii, sr, ir] = [0, 0, 0, 0, 0];
  for (let point = 0; point < grid.length; point++) {
    const residual = residuals[point]!;
    const s = (bySlope[point]! - residual) / difference;
    const i = (byIntercept[point]! - residual) / difference;
    const weight = weights[point]!;
    ss += weight * s * s;
    si += weight * s * i;
    ii += weight * i * i;
    sr += weight * s * residual;
    ir += weight * i * residual;
  }
  const determinant = ss * ii - si * si;
  if (!(determinant > 0)) return { slope: 0, intercept: 0 };
  return { slope: (si * ir - ii * sr) / determinant, intercept: (si * sr - ss * ir) / determinant };
}

/** Computes the difference of the expected sums of scores at each point. */
function computeResiduals(anchors: readonly Anchor[], link: ScaleLink): Float64Array {
  const moved = anchors.map(({ from }) => moveParameters(from, link));
  return Float64Array.from(grid, (theta) =>
    anchors.reduce(
      (sum, { to }, index) => sum + computeScore(moved[index]!, theta) - computeScore(to, theta),
      0,
    ),
  );
}

function computeScore({ discrimination, thresholds }: ItemParameters, theta: number): number {
  return thresholds.reduce((sum, threshold) => sum + logistic(discrimination * (theta - threshold)), 0);
}

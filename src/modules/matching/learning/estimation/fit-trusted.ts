import {
  fitLogistic,
  type LogisticFit,
  type Observations,
  type ObservationSums,
  type Prior,
} from '@tessera/psychometrics';
import { feature_count, joinOutcomes, trait_count } from './features.ts';

export type OrganisationOutcome = {
  readonly org_id: string;
  readonly features: ArrayLike<number>;
  readonly value: number;
  readonly weight: number;
};

/** How much of the weight of an organisation's outcomes counts, from 0 to 1. Organisations that are not in it count in full. */
export type Trust = ReadonlyMap<string, number>;

/** From how many standard errors on the outcomes of an organisation count less, and from how many they hardly count. */
const deviationLimits = { trusted: 3, ignored: 6 } as const;

/** Not 0, so that it can still be seen whether an organisation deviates. */
const share_min = 1e-3;

/** Fewer outcomes cannot deviate so far, and are summed up together. */
const judged_outcomes_min = 10;

const rounds_max = 5;
/** If less of all weight changes, as by chance in one organisation of twenty, the model stays as it is. */
const tolerance = 0.01;

/**
 * Fits the model of outcomes so that organisations that say something else than all others hardly move it: a ring that lies about a trait, or one with wrong records.
 * An organisation's score in a trait is Σ ω (y - p) x. If the model holds there, the standard error of the score is √(Σ ω² p (1 - p) x²). From three
 * standard errors on the organisation counts less, from six on hardly, and the model is fitted again (a redescending M-estimator, Hampel 1974, by organisation).
 */
export function fitTrusted(
  prior: Prior,
  { org_ids, joined }: OrganisationParts,
): { readonly fit: LogisticFit; readonly trust: Trust } {
  let [weighted, fit] = [joined, fitLogistic(prior, joined)];
  let shares: readonly number[] = joined.ends.map(() => 1);
  for (let round = 0; round < rounds_max; round += 1) {
    const next = judgeParts(weighted, fit.parts).map((share, part) =>
      org_ids[part] === undefined ? 1 : share,
    );
    if (computeChange(joined, shares, next) < tolerance) break;
    shares = next;
    weighted = { ...joined, weights: shareWeights(joined, shares) };
    fit = fitLogistic(prior, weighted, fit.mean);
  }
  const trust = org_ids.flatMap((org_id, part) =>
    org_id !== undefined && shares[part]! < 1 ? [[org_id, shares[part]!] as const] : [],
  );
  return { fit, trust: new Map(trust) };
}

/** Observations of which those of one organisation are one part. The first part is of all organisations with few outcomes, and has no id. */
export type OrganisationParts = {
  readonly org_ids: readonly (string | undefined)[];
  readonly joined: Observations;
};

/** Joins outcomes into one table, organisation by organisation. */
export function joinByOrganisation(outcomes: readonly OrganisationOutcome[]): OrganisationParts {
  const ofEach = Map.groupBy(outcomes, ({ org_id }) => org_id);
  const few = [...ofEach.values()].filter((own) => own.length < judged_outcomes_min).flat();
  const judged = [...ofEach].filter(([, own]) => own.length >= judged_outcomes_min);
  const parts = [few, ...judged.map(([, own]) => own)];
  let end = 0;
  const ends = parts.map((part) => (end += part.length));
  return {
    org_ids: [undefined, ...judged.map(([org_id]) => org_id)],
    joined: joinOutcomes(parts.flat(), ends),
  };
}

/** Finds how much each part is trusted, by how far it deviates from the model in the trait in which it deviates most. */
function judgeParts({ weights, ends }: Observations, parts: readonly ObservationSums[]): readonly number[] {
  const { trusted, ignored } = deviationLimits;
  return parts.map((sums, part) => {
    const deviation = computeDeviation(sums, weights.subarray(ends[part - 1] ?? 0, ends[part]));
    return Math.min(1, Math.max(share_min, (ignored - deviation) / (ignored - trusted)));
  });
}

/** Computes the largest score of a part in a trait, in standard errors. The weights within a part hardly depend on the traits. */
function computeDeviation({ gradient, curvature }: ObservationSums, weights: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (const weight of weights) {
    sum += weight;
    squares += weight ** 2;
  }
  let largest = 0;
  for (let trait = 0; trait < trait_count; trait += 1) {
    const variance = (curvature[trait * feature_count + trait]! * squares) / sum;
    if (variance > 0) largest = Math.max(largest, Math.abs(gradient[trait]!) / Math.sqrt(variance));
  }
  return largest;
}

/** Computes how much of all weight two ways to trust the parts differ by. */
function computeChange(
  { weights, ends }: Observations,
  before: readonly number[],
  after: readonly number[],
): number {
  let [changed, all] = [0, 0];
  for (const [part, end] of ends.entries()) {
    const weight = weights.subarray(ends[part - 1] ?? 0, end).reduce((sum, each) => sum + each, 0);
    all += weight;
    changed += weight * Math.abs(after[part]! - before[part]!);
  }
  return all === 0 ? 0 : changed / all;
}

function shareWeights({ weights, ends }: Observations, shares: readonly number[]): Float64Array {
  const shared = weights.slice();
  for (const [part, end] of ends.entries())
    for (let row = ends[part - 1] ?? 0; row < end; row += 1) shared[row]! *= shares[part]!;
  return shared;
}

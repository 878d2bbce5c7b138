import type { Matrix } from './population.ts';

/** The fit of one member for one job: its posterior, and the value that the true traits would give. */
export type MeasuredFit = { readonly mean: number; readonly sd: number; readonly truth: number };

/** Vectors in slot order: of a job's priorities, of true traits, or of the means and variances of a posterior. */
type Vector = Float64Array;

/** Measures the fit of a member for one job, in standard deviations of the population. */
export type JobFit = (truth: Vector, mean: Vector, variance: Vector) => MeasuredFit;

/** A way to compute fits: prepares all jobs at once, with the correlations that it assumes. */
export type Approach = {
  readonly name: string;
  prepare(jobs: readonly Vector[], correlations: Matrix, sample: readonly Vector[]): readonly JobFit[];
};

/** The compared approaches. Each changes the weights of a job or the form of the fit; none changes the measurement. */
export const approaches: readonly Approach[] = [
  createLinear('the plain weighted sum', (jobs) => jobs),
  createLinear('half of the member’s own mean removed', (jobs) => removeMean(jobs, 0.5)),
  createLinear('0.9 of the member’s own mean removed', (jobs) => removeMean(jobs, 0.9)),
  createLinear('half of the fit for typical work removed', (jobs, r) => removeTypical(jobs, r, 0.5)),
  createLinear('0.9 of the fit for typical work removed (chosen)', (jobs, r) => removeTypical(jobs, r, 0.9)),
  createLinear('all of the fit for typical work removed', (jobs, r) => removeTypical(jobs, r, 1)),
  createLinear('signed: less demand than typical counts against', removeTypicalDemand),
  createLinear('signed, and half of the member’s own mean removed', (jobs) =>
    removeMean(removeTypicalDemand(jobs), 0.5),
  ),
  { name: 'ideal ranges: distance from the demanded level', prepare: prepareIdealRanges },
];

/** The approaches of the second table, which also differ in the correlations that they assume. */
export const [plainApproach, chosenApproach] = [approaches[0]!, approaches[4]!];

function createLinear(
  name: string,
  computeEffects: (jobs: readonly Vector[], correlations: Matrix) => readonly Vector[],
): Approach {
  return {
    name,
    prepare: (jobs, correlations) =>
      computeEffects(jobs, correlations).map((effects) => {
        const deviation = Math.sqrt(dot(effects, multiply(correlations, effects)));
        const scaled = effects.map((effect) => effect / Math.max(deviation, 1e-9));
        const squares = scaled.map((effect) => effect * effect);
        return (truth, mean, variance) => ({
          mean: dot(scaled, mean),
          sd: Math.sqrt(dot(squares, variance)),
          truth: dot(scaled, truth),
        });
      }),
  };
}

function removeMean(jobs: readonly Vector[], share: number): readonly Vector[] {
  return jobs.map((job) => {
    const mean = job.reduce((sum, weight) => sum + weight, 0) / job.length;
    return job.map((weight) => weight - share * mean);
  });
}

/** Subtracts a share of the regression of each fit on the fit for the mean of all jobs. */
function removeTypical(jobs: readonly Vector[], correlations: Matrix, share: number): readonly Vector[] {
  const typical = computeMeanVector(jobs);
  const products = multiply(correlations, typical);
  const variance = dot(products, typical);
  return jobs.map((job) => {
    const slope = (share * dot(job, products)) / variance;
    return job.map((weight, slot) => weight - slope * typical[slot]!);
  });
}

function removeTypicalDemand(jobs: readonly Vector[]): readonly Vector[] {
  const typical = computeMeanVector(jobs);
  return jobs.map((job) => job.map((weight, slot) => weight - typical[slot]!));
}

/**
 * Fit = -Σ w (t - c)², where the ideal c of a trait is 1.5 times the standardised demand of the job for it, and w is the priority. Mean and
 * standard deviation in the population come from a sample of true traits.
 */
function prepareIdealRanges(
  jobs: readonly Vector[],
  _: Matrix,
  sample: readonly Vector[],
): readonly JobFit[] {
  const typical = computeMeanVector(jobs);
  const deviations = typical.map((mean, slot) =>
    Math.sqrt(jobs.reduce((sum, job) => sum + (job[slot]! - mean) ** 2, 0) / jobs.length),
  );
  return jobs.map((job) => {
    const ideal = job.map((weight, slot) =>
      deviations[slot]! > 0
        ? Math.max(-2, Math.min(2, (1.5 * (weight - typical[slot]!)) / deviations[slot]!))
        : 0,
    );
    const computeRaw = (traits: Vector) =>
      -traits.reduce((sum, trait, slot) => sum + job[slot]! * (trait - ideal[slot]!) ** 2, 0);
    const raws = sample.map(computeRaw);
    const location = raws.reduce((sum, raw) => sum + raw, 0) / raws.length;
    const scale = Math.sqrt(raws.reduce((sum, raw) => sum + (raw - location) ** 2, 0) / raws.length);
    return (truth, mean, variance) => {
      let spread = 0;
      let bias = 0;
      for (let slot = 0; slot < job.length; slot++) {
        const [weight, v] = [job[slot]!, variance[slot]!];
        bias += weight * v;
        spread += weight ** 2 * (4 * (mean[slot]! - ideal[slot]!) ** 2 * v + 2 * v * v);
      }
      return {
        mean: (computeRaw(mean) - bias - location) / scale,
        sd: Math.sqrt(spread) / scale,
        truth: (computeRaw(truth) - location) / scale,
      };
    };
  });
}

function computeMeanVector(vectors: readonly Vector[]): Vector {
  return vectors[0]!.map(
    (_, slot) => vectors.reduce((sum, vector) => sum + vector[slot]!, 0) / vectors.length,
  );
}

function multiply(matrix: Matrix, vector: Vector): Vector {
  return Float64Array.from(matrix, (row) => row.reduce((sum, value, slot) => sum + value * vector[slot]!, 0));
}

function dot(one: Vector, other: Vector): number {
  let sum = 0;
  for (let slot = 0; slot < one.length; slot++) sum += one[slot]! * other[slot]!;
  return sum;
}

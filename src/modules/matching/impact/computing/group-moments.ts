import { traitCodes } from '#modules/measurement/traits';

/** A square matrix, row by row, in the order of the traits. */
export type Matrix = readonly (readonly number[])[];

/** What is known of a group: sums over its people, and nothing about one of them. All lists are in the order of the traits. */
export type GroupMoments = {
  readonly people: number;
  /** The mean of the estimated traits, in standard deviations of the population. */
  readonly mean: readonly number[];
  /** The covariances of the estimated traits. */
  readonly covariance: Matrix;
  /** The mean variance of the error of each estimate. */
  readonly error: readonly number[];
};

/** How somebody is measured: estimates of the traits and the variances of their errors, in the order of the traits. */
export type MeasuredTraits = { readonly mean: readonly number[]; readonly variance: readonly number[] };

/** Sums over the people of a group. They only grow. */
export type GroupSums = {
  people: number;
  readonly values: Float64Array;
  readonly products: Float64Array;
  readonly errors: Float64Array;
};

const traits = traitCodes.length;

export function createGroupSums(): GroupSums {
  return {
    people: 0,
    values: new Float64Array(traits),
    products: new Float64Array(traits * traits),
    errors: new Float64Array(traits),
  };
}

export function addToGroup(sums: GroupSums, { mean, variance }: MeasuredTraits): void {
  sums.people += 1;
  for (let row = 0; row < traits; row++) {
    sums.values[row]! += mean[row]!;
    sums.errors[row]! += variance[row]!;
    for (let column = 0; column < traits; column++)
      sums.products[row * traits + column]! += mean[row]! * mean[column]!;
  }
}

/** Computes the moments of a group of at least two people. Numbers have five decimals: more would only take space. */
export function toMoments({ people, values, products, errors }: GroupSums): GroupMoments {
  const mean = Array.from(values, (value) => value / people);
  const covariance = mean.map((one, row) =>
    mean.map((other, column) =>
      round((products[row * traits + column]! - people * one * other) / (people - 1)),
    ),
  );
  return {
    people,
    mean: mean.map(round),
    covariance,
    error: Array.from(errors, (error) => round(error / people)),
  };
}

const round = (value: number) => Math.round(value * 1e5) / 1e5;

/** Computes the covariances of the estimated traits over the people of several groups: within the groups, and between their means. */
export function computePooledCovariance(groups: readonly GroupMoments[]): Matrix {
  const people = groups.reduce((sum, each) => sum + each.people, 0);
  const average = (read: (group: GroupMoments) => number) =>
    groups.reduce((sum, each) => sum + each.people * read(each), 0) / people;
  const centre = traitCodes.map((_, slot) => average(({ mean }) => mean[slot]!));
  return centre.map((one, row) =>
    centre.map((other, column) =>
      average(
        ({ covariance, mean }) => covariance[row]![column]! + (mean[row]! - one) * (mean[column]! - other),
      ),
    ),
  );
}

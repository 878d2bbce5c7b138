import type { GradedParameters } from './graded-response.ts';

type ExampleItem = GradedParameters & { readonly id: string };

/** Two scales of twelve items with five categories, for tests. */
export const exampleScales: { readonly even: readonly ExampleItem[]; readonly high: readonly ExampleItem[] } =
  {
    even: buildScale([
      [1.9, -2.03, -0.93, 0.27, 1.57],
      [2, -1.93, -0.83, 0.17, 1.27],
      [1.9, -2.03, -0.73, 0.37, 1.37],
      [1.5, -2.83, -1.83, -0.63, 0.37],
      [1.9, -1.63, -0.43, 0.67, 1.87],
      [1.5, -2.33, -1.33, -0.23, 0.97],
      [1.2, -1.83, -0.83, 0.17, 1.27],
      [1.4, -2.53, -1.23, -0.23, 0.97],
      [2, -2.53, -1.33, -0.03, 1.07],
      [1.9, -1.83, -0.83, 0.17, 1.37],
      [1.8, -1.53, -0.43, 0.77, 1.77],
      [1.4, -1.03, 0.17, 1.27, 2.37],
    ]),
    high: buildScale([
      [1.7, -3.06, -2.06, -0.76, 0.34],
      [2, -2.46, -1.36, -0.36, 0.84],
      [1.6, -3.26, -2.36, -1.36, -0.36],
      [1.6, -2.76, -1.46, -0.36, 0.74],
      [1.7, -1.96, -0.96, 0.04, 1.04],
      [1.3, -2.96, -2.06, -0.66, 0.24],
      [1.4, -1.66, -0.56, 0.44, 1.54],
      [1.8, -2.36, -1.36, -0.36, 0.54],
      [2, -2.46, -1.36, -0.46, 0.84],
      [1.7, -2.26, -0.96, 0.14, 1.34],
      [1.4, -2.86, -1.86, -0.76, 0.24],
      [2, -2.96, -1.96, -0.76, 0.24],
    ]),
  };

/** Every second item is reversed. */
function buildScale(rows: readonly (readonly number[])[]): readonly ExampleItem[] {
  return rows.map(([discrimination = 0, ...thresholds], index) => ({
    id: `item-${index}`,
    discrimination,
    thresholds,
    ...(index % 2 === 1 && { reversed: true }),
  }));
}

import { measureArchetypeRetests } from './assessment/archetypes.ts';
import { measureDeepening } from './assessment/deepening.ts';
import { measurePrecision } from './assessment/precision.ts';
import { formatPercent, type Benchmark, type Table } from './lib/report.ts';

/**
 * Simulates assessments of members from the prior population: how well traits are known after each stage, whether deepening by what is at
 * stake settles tiers earlier, and whether families of archetypes hold on a retest. Seeded. It measures no time.
 */
export const runBenchmark: Benchmark = async ({ quick }) => ({
  title: 'Stages of the assessment',
  tables: [
    describePrecision(quick ? 10 : 500),
    describeDeepening(quick ? 4 : 200),
    describeArchetypes(quick ? 5 : 400),
  ],
  notes: [
    'Members answer according to the parameters of the bank, so the figures are upper limits. A tier differs if it is not the tier of the true fit.',
  ],
});

function describePrecision(size: number): Table {
  return {
    head: ['items', 'median length', 'r with the true values', 'RMSE', 'within the 95 % bounds'],
    rows: measurePrecision(size).map(({ items, median_items, r, rmse, covered }) => [
      items,
      String(median_items),
      r.toFixed(3),
      rmse.toFixed(2),
      formatPercent(covered),
    ]),
  };
}

function describeDeepening(size: number): Table {
  return {
    head: ['items', 'tiers that differ, by stakes', 'without stakes'],
    rows: measureDeepening(size).map(({ items, byStakes, byCount }) => [
      String(items),
      formatPercent(byStakes),
      formatPercent(byCount),
    ]),
  };
}

function describeArchetypes(size: number): Table {
  return {
    head: ['stage', 'certainty', 'share', 'predicted to hold', 'held'],
    rows: Object.entries(measureArchetypeRetests(size)).flatMap(([stage, groups]) =>
      [...groups].map(([level, { count, predicted, same }]) => [
        stage,
        level,
        formatPercent(count / size),
        formatPercent(predicted / Math.max(1, count)),
        formatPercent(same / Math.max(1, count)),
      ]),
    ),
  };
}

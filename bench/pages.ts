import { measureShortlist } from './pages/shortlist-cost.ts';
import type { Benchmark } from './lib/report.ts';

/** Measures what pages of the console cost. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const shortlist = await measureShortlist(cleaning, quick);
  return {
    title: 'Pages of the console',
    tables: [shortlist.table],
    notes: shortlist.notes,
  };
};

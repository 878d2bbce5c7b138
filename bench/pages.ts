import { measureDecisions } from './pages/decisions.ts';
import { measureScores } from './pages/lighthouse.ts';
import { measureShortlist } from './pages/shortlist-cost.ts';
import type { Benchmark } from './lib/report.ts';

/** Measures what pages of the console cost, how fast decisions are, and what Lighthouse says about them. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const shortlist = await measureShortlist(cleaning, quick);
  const decisions = await measureDecisions(cleaning, quick);
  const scores = await measureScores(cleaning, quick);
  return {
    title: 'Pages of the console',
    tables: [shortlist.table, decisions.table, scores.table],
    notes: [...shortlist.notes, ...decisions.notes, ...scores.notes],
  };
};

import { describeMachine, printReport, type Benchmark } from './lib/report.ts';

/** All benchmarks by name. Each is loaded when it is run, so that one that cannot be loaded does not prevent the others. */
const benchmarks: Readonly<Record<string, () => Promise<{ readonly runBenchmark: Benchmark }>>> = {
  'request-cost': () => import('./request-cost.ts'),
  'write-cost': () => import('./write-cost.ts'),
  credentials: () => import('./credentials.ts'),
  'fast-paths': () => import('./fast-paths.ts'),
  reads: () => import('./reads.ts'),
  'distributed-reads': () => import('./distributed-reads.ts'),
  growth: () => import('./growth.ts'),
  'match-cost': () => import('./match-cost.ts'),
  scale: () => import('./scale.ts'),
  'index-parts': () => import('./index-parts.ts'),
  matching: () => import('./matching.ts'),
  learning: () => import('./learning.ts'),
  queue: () => import('./queue.ts'),
  webhooks: () => import('./webhooks.ts'),
  storage: () => import('./storage.ts'),
  fit: () => import('./fit.ts'),
  honest: () => import('./honest.ts'),
  'real-people': () => import('./real-people.ts'),
  explanations: () => import('./explanations.ts'),
  impact: () => import('./impact.ts'),
  mcp: () => import('./mcp.ts'),
  pages: () => import('./pages.ts'),
  turns: () => import('./turns.ts'),
  banks: () => import('./banks.ts'),
  admission: () => import('./admission.ts'),
  'foreign-credentials': () => import('./foreign-credentials.ts'),
};

/** Runs `node bench/run.ts [--quick] [name…]` and prints the reports as Markdown. @returns the exit code. */
async function runBenchmarks(words: readonly string[]): Promise<number> {
  const quick = words.includes('--quick');
  const names = words.filter((word) => word !== '--quick');
  const unknown = names.find((name) => !Object.hasOwn(benchmarks, name));
  if (unknown !== undefined) {
    console.error(`unknown benchmark "${unknown}"; the benchmarks are ${Object.keys(benchmarks).join(', ')}`);
    return 2;
  }
  console.log(
    `\`npm run bench\` on ${describeMachine()}${quick ? ', a quick run whose figures mean little' : ''}.`,
  );
  let exit_code = 0;
  for (const name of names.length > 0 ? names : Object.keys(benchmarks)) {
    const { runBenchmark } = await benchmarks[name]!();
    const report = await runBenchmark({ quick });
    printReport(report);
    if (report.failures?.length) exit_code = 1;
  }
  return exit_code;
}

process.exitCode = await runBenchmarks(process.argv.slice(2));

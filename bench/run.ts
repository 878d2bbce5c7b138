import type { Benchmark } from './lib/report.ts';
import { describeMachine, printReport } from './lib/report.ts';

/** Every benchmark by its name. Loaded when asked for, so that one that cannot start does not stop the others. */
const benchmarks: Readonly<Record<string, () => Promise<{ readonly runBenchmark: Benchmark }>>> = {
  'request-cost': () => import('./request-cost.ts'),
  'login-cost': () => import('./login-cost.ts'),
  start: () => import('./start.ts'),
  matching: () => import('./matching.ts'),
  recompute: () => import('./recompute.ts'),
  'load-population': () => import('./load-population.ts'),
  credentials: () => import('./credentials.ts'),
};

/** `node bench/run.ts [--quick] [name…]`: prints Markdown; @returns the exit code. */
async function runBenchmarks(words: readonly string[]): Promise<number> {
  const quick = words.includes('--quick');
  const names = words.filter((word) => word !== '--quick');
  const unknown = names.find((name) => !Object.hasOwn(benchmarks, name));
  if (unknown !== undefined) {
    console.error(`there is no benchmark "${unknown}"; there are ${Object.keys(benchmarks).join(', ')}`);
    return 2;
  }
  console.log(
    `\`npm run bench\` on ${describeMachine()}${quick ? ', a quick run: its figures mean little' : ''}.`,
  );
  for (const name of names.length > 0 ? names : Object.keys(benchmarks)) {
    const { runBenchmark } = await benchmarks[name]!();
    printReport(await runBenchmark({ quick }));
  }
  return 0;
}

process.exitCode = await runBenchmarks(process.argv.slice(2));

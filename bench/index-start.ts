import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { stopChild } from './lib/child.ts';
import { createTemporaryDirectory, root } from './lib/directory.ts';
import { measureTime } from './lib/measure.ts';
import { formatMegabytes, formatMilliseconds, type Benchmark } from './lib/report.ts';
import { buildEnvironment, startService, type Service } from './lib/service.ts';

/** Measures the time from the start of the process until it can match: without members, with members and no copy of the index, and with a copy. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const directory = await createTemporaryDirectory(cleaning);
  const members = quick ? 20_000 : 1_000_000;
  const [empty, full] = [path.join(directory, 'empty'), path.join(directory, 'full')];
  const copy = path.join(full, 'match-index');
  await runCli(empty, ['migrate']);
  await runCli(full, ['demo', 'load', '--members', String(members), '--jobs', '0']);
  const repeats = quick ? 1 : 3;
  const withoutMembers = await measureStarts(cleaning, empty, repeats);
  const built = await measureStarts(cleaning, full, 1, () => rm(copy, { force: true }));
  const loaded = await measureStarts(cleaning, full, repeats);
  return {
    title: `Starting with ${members.toLocaleString('en')} members`,
    tables: [
      {
        head: ['what', 'until it can match', 'more than without members', 'target'],
        rows: [
          ['no members', formatMilliseconds(withoutMembers), '', ''],
          ['the index is built', formatMilliseconds(built), formatMilliseconds(built - withoutMembers), ''],
          [
            'the index is loaded from its copy',
            formatMilliseconds(loaded),
            formatMilliseconds(loaded - withoutMembers),
            '2 s at 1,000,000',
          ],
        ],
      },
    ],
    notes: [
      `The copy has ${formatMegabytes((await stat(copy)).size)}. Figures are the least of ${repeats}; the build was measured once.`,
    ],
  };
};

async function runCli(dataDir: string, words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ['src/main.js', 'cli', ...words], {
    cwd: root,
    env: buildEnvironment(dataDir),
  });
}

/** Measures the least time of several starts. Each service is stopped, which saves its index. */
async function measureStarts(
  cleaning: AsyncDisposableStack,
  dataDir: string,
  repeats: number,
  prepare: () => Promise<void> = async () => undefined,
): Promise<number> {
  let least = Infinity;
  for (let repeat = 0; repeat < repeats; repeat++) {
    await prepare();
    let service: Service | undefined;
    const cost = await measureTime(async () => {
      service = await startService(cleaning, dataDir);
      await waitUntilMatching(service);
    });
    await stopChild(service!.child);
    least = Math.min(least, cost);
  }
  return least;
}

const ready_max_ms = 30 * 60_000;

async function waitUntilMatching({ internalPort }: Service): Promise<void> {
  const deadline = performance.now() + ready_max_ms;
  while (performance.now() < deadline) {
    const reply = await fetch(`http://127.0.0.1:${internalPort}/health/ready`);
    const { matching } = (await reply.json()) as { readonly matching?: string };
    if (matching === 'ready') return;
    await pause(20);
  }
  throw new Error('the index did not become ready');
}

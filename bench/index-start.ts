import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { stopChild } from './lib/child.ts';
import { createTemporaryDirectory, root } from './lib/directory.ts';
import { listChildren, measureMemory, measurePss } from './lib/footprint.ts';
import { measureTime } from './lib/measure.ts';
import { formatMegabytes, formatMilliseconds, type Benchmark } from './lib/report.ts';
import { buildEnvironment, startService, type Service } from './lib/service.ts';

/**
 * A data directory that `demo load` has filled with as many members as the benchmark would, because that takes minutes. The benchmark keeps it.
 */
const population = process.env['BENCH_POPULATION'];

/**
 * Measures the time from the start of the process until it can match, and its memory then: without members, with members and no copy of the
 * index, and with a copy.
 */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const directory = await createTemporaryDirectory(cleaning);
  const members = quick ? 20_000 : 1_000_000;
  const [empty, full] = [path.join(directory, 'empty'), population ?? path.join(directory, 'full')];
  const copy = path.join(full, 'match-index');
  await runCli(empty, ['migrate']);
  if (population === undefined)
    await runCli(full, ['demo', 'load', '--members', String(members), '--jobs', '0']);
  const setup: Setup = { cleaning, idle_ms: quick ? 500 : 10_000 };
  const repeats = quick ? 1 : 3;
  const withoutMembers = await measureStarts(setup, empty, repeats);
  const built = await measureStarts(setup, full, 1, () => rm(copy, { force: true }));
  const loaded = await measureStarts(setup, full, repeats);
  return {
    title: `Starting with ${members.toLocaleString('en')} members`,
    tables: [
      {
        head: ['what', 'until it can match', 'more than without members', 'target'],
        rows: [
          ['no members', formatMilliseconds(withoutMembers.ready_ms), '', ''],
          buildTimeRow('the index is built', built, withoutMembers, ''),
          buildTimeRow('the index is loaded from its copy', loaded, withoutMembers, '2 s at 1,000,000'),
        ],
      },
      {
        head: ['memory (Pss)', 'the service', 'its PostgreSQL, all processes'],
        rows: [
          buildMemoryRow('no members', withoutMembers),
          buildMemoryRow('after the index was built', built),
          buildMemoryRow('after the index was loaded', loaded),
        ],
      },
    ],
    notes: [
      `The copy has ${formatMegabytes((await stat(copy)).size)}. Figures are the least of ${repeats}; the build was measured once. Memory was read ten idle`,
      'seconds after the service could match.',
    ],
  };
};

type Setup = { readonly cleaning: AsyncDisposableStack; readonly idle_ms: number };

/** What a start takes. The memory is in bytes, and undefined on systems without /proc. */
type Start = {
  readonly ready_ms: number;
  readonly service: number | undefined;
  readonly database: number | undefined;
};

function buildTimeRow(what: string, start: Start, withoutMembers: Start, target: string): string[] {
  const more = start.ready_ms - withoutMembers.ready_ms;
  return [what, formatMilliseconds(start.ready_ms), formatMilliseconds(more), target];
}

function buildMemoryRow(what: string, { service, database }: Start): string[] {
  const format = (bytes: number | undefined) => (bytes === undefined ? 'unknown' : formatMegabytes(bytes));
  return [what, format(service), format(database)];
}

async function runCli(dataDir: string, words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ['src/app/main.js', 'cli', ...words], {
    cwd: root,
    env: buildEnvironment(dataDir),
  });
}

/** Measures several starts, and returns the least of each figure. Each service is stopped, which saves its index. */
async function measureStarts(
  setup: Setup,
  dataDir: string,
  repeats: number,
  prepare: () => Promise<void> = async () => undefined,
): Promise<Start> {
  const starts: Start[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    await prepare();
    starts.push(await measureStart(setup, dataDir));
  }
  const findLeast = (figure: keyof Start) => {
    const known = starts.flatMap((start) => start[figure] ?? []);
    return known.length === 0 ? undefined : Math.min(...known);
  };
  return {
    ready_ms: findLeast('ready_ms')!,
    service: findLeast('service'),
    database: findLeast('database'),
  };
}

async function measureStart({ cleaning, idle_ms }: Setup, dataDir: string): Promise<Start> {
  let started: Service | undefined;
  const ready_ms = await measureTime(async () => {
    started = await startService(cleaning, dataDir);
    await waitUntilMatching(started);
  });
  const { child } = started!;
  await pause(idle_ms);
  const [postgres] = await listChildren(child.pid!).catch(() => []);
  const service = await measurePss(child.pid!).catch(() => undefined);
  const database = postgres === undefined ? undefined : await measureMemory(postgres);
  await stopChild(child);
  return { ready_ms, service, database };
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

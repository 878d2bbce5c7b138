import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openBarePostgres } from './lib/bare-postgres.ts';
import { stopChild } from './lib/child.ts';
import { findImportedPackages } from './lib/dependencies.ts';
import { createTemporaryDirectory, removalOptions, root } from './lib/directory.ts';
import { listChildren, measureInstallSize, measureMemory, measurePss } from './lib/footprint.ts';
import { measureLeast, measureTime } from './lib/measure.ts';
import { formatMegabytes, formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { buildServiceEnvironment } from './lib/service.ts';

/** Measures the time of a first and of a later start, the memory of the idle service, and the size of the installation. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const directory = await createTemporaryDirectory(cleaning);
  const imports = await buildImportScript();
  const cost = await measureLeast(
    {
      first: () => measureFirstStart(path.join(directory, 'first')),
      bareFirst: () => measureBareFirstStart(path.join(directory, 'bare-first')),
      ...(await prepareWarmStarts(cleaning, directory)),
      imports: () =>
        measureTime(() => waitForFirstOutput(spawnNode(['--input-type=module', '--eval', imports]))),
    },
    quick ? 1 : 8,
  );
  return {
    title: 'Start',
    tables: [
      {
        head: ['what', 'Tessera', 'peer', 'ratio', 'target'],
        rows: [
          [
            'first start, on an empty data directory',
            formatMilliseconds(cost.first),
            `\`initdb\` and \`postgres\`: ${formatMilliseconds(cost.bareFirst)}`,
            formatRatio(cost.first / cost.bareFirst),
            '2×',
          ],
          [
            'start',
            formatMilliseconds(cost.warm),
            `Node importing the same packages: ${formatMilliseconds(cost.imports)}`,
            formatRatio(cost.warm / cost.imports),
            '2.5×',
          ],
          [
            'start',
            formatMilliseconds(cost.warm),
            `the same, and then \`postgres\`: ${formatMilliseconds(cost.imports + cost.bareWarm)}`,
            formatRatio(cost.warm / (cost.imports + cost.bareWarm)),
            '',
          ],
        ],
      },
      {
        head: ['idle memory and installation', 'size'],
        rows: [...(await measureIdleMemory(directory, quick)), ...(await measureInstallation())],
      },
    ],
    notes: [
      'From the start of the process to its ready line, with code that an earlier start has compiled. Each figure is the least of many, taken alternately.',
      'Memory was read after ten idle seconds.',
    ],
  };
};

async function measureFirstStart(dataDir: string): Promise<number> {
  const env = await buildServiceEnvironment(dataDir);
  const cost = await measureStart(env);
  await rm(dataDir, removalOptions);
  return cost;
}

async function measureBareFirstStart(directory: string): Promise<number> {
  const postgres = await openBarePostgres(directory);
  const cost = await measureTime(async () => {
    await postgres.create();
    await postgres.start();
  });
  await postgres.stop();
  await rm(directory, removalOptions);
  return cost;
}

/** Prepares starts on data that exist already. */
async function prepareWarmStarts(cleaning: AsyncDisposableStack, directory: string) {
  const env = await buildServiceEnvironment(path.join(directory, 'warm'));
  await measureStart(env);
  const postgres = await openBarePostgres(path.join(directory, 'bare-warm'));
  await postgres.create();
  cleaning.defer(() => postgres.stop());
  return {
    warm: () => measureStart(env),
    bareWarm: async () => {
      const cost = await measureTime(() => postgres.start());
      await postgres.stop();
      return cost;
    },
  };
}

async function measureStart(env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawnNode(['src/app/main.js', 'serve'], env);
  const cost = await measureTime(() => waitForReadyLine(child));
  await stopChild(child);
  return cost;
}

function spawnNode(words: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  return spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function waitForReadyLine(child: ChildProcess): Promise<void> {
  // The stream has no type for its chunks.
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (!chunk.toString().includes('tessera ready')) continue;
    child.stdout!.resume();
    return;
  }
  throw new Error('the service did not start');
}

async function waitForFirstOutput(child: ChildProcess): Promise<void> {
  await once(child.stdout!, 'data');
}

/** Builds a program that imports the packages that the service imports at its start, and then writes a line. */
async function buildImportScript(): Promise<string> {
  const packages = await findImportedPackages('src/app/command.ts', 'src/app/app.ts');
  return [...packages.map((name) => `import '${name}';`), 'process.stdout.write("imported");'].join('\n');
}

async function measureIdleMemory(directory: string, quick: boolean): Promise<string[][]> {
  const child = spawnNode(
    ['src/app/main.js', 'serve'],
    await buildServiceEnvironment(path.join(directory, 'warm')),
  );
  await waitForReadyLine(child);
  await pause(quick ? 500 : 10_000);
  const [postgres] = await listChildren(child.pid!).catch(() => []);
  const service = await measurePss(child.pid!).catch(() => undefined);
  const database = postgres === undefined ? undefined : await measureMemory(postgres);
  await stopChild(child);
  const formatMemory = (bytes: number | undefined) =>
    bytes === undefined ? 'unknown on this system' : formatMegabytes(bytes);
  return [
    ['the service, idle (Pss)', formatMemory(service)],
    ['its PostgreSQL, idle, all processes (Pss)', formatMemory(database)],
  ];
}

async function measureInstallation(): Promise<string[][]> {
  const { production, binaries, development } = await measureInstallSize();
  return [
    ['packages that the service needs', formatMegabytes(production)],
    ['PostgreSQL and Node for this platform, from npm', formatMegabytes(binaries)],
    ['packages for development only', formatMegabytes(development)],
  ];
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { barePostgres } from './lib/bare-postgres.ts';
import { ended } from './lib/child.ts';
import { packagesImportedBy } from './lib/dependencies.ts';
import { removal, root, temporaryDirectory } from './lib/directory.ts';
import { childrenOf, installSize, memoryOf, pssOf } from './lib/footprint.ts';
import { least, timed } from './lib/interleave.ts';
import { megabytes, milliseconds, times, type Benchmark } from './lib/report.ts';
import { serviceEnvironment } from './lib/service.ts';

/** How long a start takes, first and again, and what the service holds when it has nothing to do. */
export const benchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const directory = await temporaryDirectory(cleaning);
  const imports = await importScript();
  const cost = await least(
    {
      first: () => firstStart(path.join(directory, 'first')),
      bareFirst: () => bareFirstStart(path.join(directory, 'bare-first')),
      ...(await warmStarts(cleaning, directory)),
      imports: () => timed(() => firstOutput(spawnNode(['--input-type=module', '--eval', imports]))),
    },
    quick ? 1 : 8,
  );
  return {
    title: 'Start',
    tables: [
      {
        head: ['what', 'Tessera', 'its peer', 'ratio', 'target'],
        rows: [
          [
            'first start, on an empty data directory',
            milliseconds(cost.first),
            `\`initdb\` and \`postgres\`: ${milliseconds(cost.bareFirst)}`,
            times(cost.first / cost.bareFirst),
            '2×',
          ],
          [
            'start',
            milliseconds(cost.warm),
            `Node importing the same packages: ${milliseconds(cost.imports)}`,
            times(cost.warm / cost.imports),
            '2.5×',
          ],
          [
            'start',
            milliseconds(cost.warm),
            `the same, and then \`postgres\`: ${milliseconds(cost.imports + cost.bareWarm)}`,
            times(cost.warm / (cost.imports + cost.bareWarm)),
            '',
          ],
        ],
      },
      {
        head: ['idle memory and installation', ''],
        rows: [...(await idleMemory(directory, quick)), ...(await installation())],
      },
    ],
    notes: [
      'From the start of the process to its ready line, its code compiled by an earlier start; least of many, in turn. Memory after ten idle seconds.',
    ],
  };
};

async function firstStart(dataDir: string): Promise<number> {
  const env = await serviceEnvironment(dataDir);
  const cost = await startAndStop(env);
  await rm(dataDir, removal);
  return cost;
}

async function bareFirstStart(directory: string): Promise<number> {
  const postgres = await barePostgres(directory);
  const cost = await timed(async () => {
    await postgres.create();
    await postgres.start();
  });
  await postgres.stop();
  await rm(directory, removal);
  return cost;
}

/** Starts on data that are there already. */
async function warmStarts(cleaning: AsyncDisposableStack, directory: string) {
  const env = await serviceEnvironment(path.join(directory, 'warm'));
  await startAndStop(env);
  const postgres = await barePostgres(path.join(directory, 'bare-warm'));
  await postgres.create();
  cleaning.defer(() => postgres.stop());
  return {
    warm: () => startAndStop(env),
    bareWarm: async () => {
      const cost = await timed(() => postgres.start());
      await postgres.stop();
      return cost;
    },
  };
}

async function startAndStop(env: Record<string, string>): Promise<number> {
  const child = spawnNode(['src/main.ts', 'serve'], env);
  const cost = await timed(() => readyLine(child));
  await ended(child);
  return cost;
}

function spawnNode(
  words: readonly string[],
  env: Record<string, string | undefined> = process.env,
): ChildProcess {
  return spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function readyLine(child: ChildProcess): Promise<void> {
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (!chunk.toString().includes('tessera ready')) continue;
    child.stdout!.resume();
    return;
  }
  throw new Error('the service did not start');
}

async function firstOutput(child: ChildProcess): Promise<void> {
  await once(child.stdout!, 'data');
}

/** A program that imports what the service imports at its start, and says so. */
async function importScript(): Promise<string> {
  const packages = await packagesImportedBy('src/command.ts', 'src/app.ts');
  return [...packages.map((name) => `import '${name}';`), 'process.stdout.write("imported");'].join('\n');
}

async function idleMemory(directory: string, quick: boolean): Promise<string[][]> {
  const child = spawnNode(['src/main.ts', 'serve'], await serviceEnvironment(path.join(directory, 'warm')));
  await readyLine(child);
  await pause(quick ? 500 : 10_000);
  const [postgres] = await childrenOf(child.pid!).catch(() => []);
  const service = await pssOf(child.pid!).catch(() => undefined);
  const database = postgres === undefined ? undefined : await memoryOf(postgres);
  await ended(child);
  const shown = (bytes: number | undefined) => (bytes === undefined ? 'not known here' : megabytes(bytes));
  return [
    ['the service, idle (Pss)', shown(service)],
    ['its PostgreSQL, idle, all processes (Pss)', shown(database)],
  ];
}

async function installation(): Promise<string[][]> {
  const { production, binaries, development } = await installSize();
  return [
    ['packages that the service needs', megabytes(production)],
    ['PostgreSQL and Node for this platform, from npm', megabytes(binaries)],
    ['packages for development only', megabytes(development)],
  ];
}

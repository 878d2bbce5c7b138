import { execFile } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { createTemporaryDirectory, root } from './lib/directory.ts';
import { measureTime } from './lib/measure.ts';
import { formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { buildEnvironment } from './lib/service.ts';

/** The tables that a load fills, in the order that their foreign keys require. */
const tables = ['members', 'consent_records', 'trait_vectors'] as const;

/** Measures the operator's command that loads a population, compared with COPY of the same rows. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const members = quick ? 2_000 : 100_000;
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const runCommand = (...words: string[]) => runCli(dataDir, words);
  await runCommand('migrate');
  const command = await measureTime(() =>
    runCommand('demo', 'load', '--members', String(members), '--jobs', '0'),
  );
  const startAlone = await measureTime(() => runCommand('demo', 'load', '--members', '0', '--jobs', '0'));
  const copy = await measureCopy(cleaning, dataDir, quick ? 1 : 5);
  const formatRate = (cost: number) =>
    `${Math.round(members / (cost / 1000)).toLocaleString('en')} members/s`;
  return {
    title: `Loading ${members.toLocaleString('en')} members`,
    tables: [
      {
        head: ['what', 'time', 'rate', 'relative to COPY'],
        rows: [
          [
            '`demo load`, the whole command',
            formatMilliseconds(command),
            formatRate(command),
            formatRatio(command / copy),
          ],
          ['of which starting and stopping', formatMilliseconds(startAlone), '', ''],
          [
            'COPY of the same rows, with the same keys and indexes',
            formatMilliseconds(copy),
            formatRate(copy),
            formatRatio(1),
          ],
        ],
      },
    ],
    notes: [
      'The command generates synthetic members, computes their trait vectors and writes members, consents and vectors, 2,000 members in a transaction.',
      'COPY loads text from memory into empty tables of the same shape, in one transaction; it is the least of five runs. Target for the command: under a',
      'minute.',
    ],
  };
};

async function runCli(dataDir: string, words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ['src/app/main.js', 'cli', ...words], {
    cwd: root,
    env: buildEnvironment(dataDir),
  });
}

/** Measures the least time to COPY the rows that the command has written into empty copies of their tables. */
async function measureCopy(
  cleaning: AsyncDisposableStack,
  dataDir: string,
  repeats: number,
): Promise<number> {
  const server = await startEmbeddedPostgres({ dataDir });
  cleaning.defer(() => server.stop());
  const client = new pg.Client({ ...server.connection, ssl: false });
  await client.connect();
  cleaning.defer(() => client.end());
  const rows = new Map<string, readonly Buffer[]>();
  for (const table of tables) rows.set(table, await readRows(client, table));
  let best = Infinity;
  for (let repeat = 0; repeat < repeats; repeat++) {
    await createEmptyCopies(client);
    best = Math.min(best, await measureTime(() => copyRows(client, rows)));
  }
  return best;
}

async function readRows(client: pg.Client, table: string): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  // The stream has no type for its chunks.
  for await (const chunk of client.query(copyTo(`copy ${table} to stdout`)) as AsyncIterable<Buffer>)
    chunks.push(chunk);
  return chunks;
}

async function createEmptyCopies(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists bench cascade; create schema bench');
  for (const table of tables)
    await client.query(`create table bench.${table} (like public.${table} including all)`);
  for (const table of ['consent_records', 'trait_vectors'])
    await client.query(
      `alter table bench.${table} add foreign key (member_id) references bench.members (id)`,
    );
}

async function copyRows(client: pg.Client, rows: ReadonlyMap<string, readonly Buffer[]>): Promise<void> {
  await client.query('begin');
  for (const table of tables)
    await pipeline(Readable.from(rows.get(table)!), client.query(copyFrom(`copy bench.${table} from stdin`)));
  await client.query('commit');
}

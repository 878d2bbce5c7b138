import { createRequire } from 'node:module';
import pg from 'pg';
import { builtInNorms, traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { formatMemberId } from '#test/modules/random-population.ts';
import { computeFitWeights } from '../src/modules/matching/engine/fit.ts';
import { groupSlots, locateSlot } from '../src/modules/matching/engine/layout.ts';
import {
  createPopulation,
  upsertMember,
  type Population,
} from '../src/modules/matching/engine/population.ts';
import { openScanner, type Scanner } from '../src/modules/matching/engine/scanner.ts';
import { quantiseWeights, slotCount, traitSlotCount } from '../src/modules/matching/engine/slots.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureLeast, measureTime } from './lib/measure.ts';
import { formatMilliseconds, formatPercent, formatRatio, type Benchmark, type Table } from './lib/report.ts';
import { openStreamBound, type StreamBound } from './lib/stream-bound.ts';
import { findTopMembers } from '../test/modules/find-top-members.ts';

const shortlist = 1_000;
const batchJobs = 64;

/** Measures the exact search for the best members for one job and for many, compared with the memory bandwidth, a plain loop, usearch and SQL. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const sizes = quick ? [10_000, 100_000] : [100_000, 1_000_000, 4_000_000];
  const bound = await openStreamBound(cleaning, sizes.at(-1)! * countReadBytes(buildJobWeights(0)));
  const population = createPopulation({ threads: 3 });
  const oneJob: string[][] = [];
  const manyJobs: string[][] = [];
  for (const size of sizes) {
    growPopulation(population, size);
    const scanners = openScanners(cleaning, population);
    const peers = await openPeers(cleaning, population, { sql: size <= 100_000, usearch: size <= 1_000_000 });
    oneJob.push(...(await measureOneJob(scanners, bound, peers, size, quick ? 3 : 40)));
    manyJobs.push(await measureManyJobs(scanners, size, quick ? 2 : 6));
    await peers.close();
  }
  return {
    title: `The best ${shortlist} of a population, exactly`,
    tables: buildTables(oneJob, manyJobs),
    notes,
  };
};

const notes = [
  'All 20 traits have a weight. "The bound" is a WebAssembly SIMD loop that adds up as many bytes as the scan reads for this job: 20 of the 24 of each',
  'member, because it skips the four slots of culture values, whose weight is zero. usearch runs its exact search over the same numbers as float32, by inner product. SQL is the embedded PostgreSQL on a warm table with a column for each trait, `order by',
  '… limit`, in one process and with two more workers. One thread is the calling thread alone; two are worker threads, and the time to wake them is',
  'included. Each figure is the least of many, taken alternately. Targets: 60 % of the bound and 8 times usearch for one job of 1,000,000 members;',
  '2 G pairs/s for 64 jobs of 4,000,000 members.',
];

function buildTables(oneJob: string[][], manyJobs: string[][]): readonly Table[] {
  return [
    {
      head: ['one job', 'members', 'threads', 'time', 'speed relative to the bound', 'Tessera is faster by'],
      rows: oneJob,
    },
    {
      head: [
        `${batchJobs} jobs in one pass`,
        'two threads',
        'pairs of job and member, two threads',
        'one thread',
        'pairs of job and member, one thread',
      ],
      rows: manyJobs,
    },
  ];
}

/** Adds members with approximately normal traits until the population has a size. */
function growPopulation(population: Population, size: number): void {
  const variance = Array.from({ length: traitSlotCount }, () => 0.15);
  const drawUniform = createUniform(population.ids.size + 1);
  const mean = new Float64Array(traitSlotCount);
  for (let index = population.ids.size; index < size; index += 1) {
    for (let trait = 0; trait < traitSlotCount; trait += 1)
      mean[trait] = 1.6 * (drawUniform() + drawUniform() + drawUniform() + drawUniform() - 2);
    upsertMember(population, formatMemberId(index), { mean, variance });
  }
}

/** Creates a linear congruential generator of numbers from 0 to 1, with the constants of Numerical Recipes. */
function createUniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Scanners = { readonly one: Scanner; readonly two: Scanner; readonly loop: Scanner };

function openScanners(cleaning: AsyncDisposableStack, population: Population): Scanners {
  const scanners = {
    one: openScanner(population, { threads: 0 }),
    two: openScanner(population, { threads: 2 }),
    loop: openScanner(population, { threads: 0, plain: true }),
  };
  cleaning.defer(() => scanners.two.close());
  return scanners;
}

/** Builds the weights of a job with priorities between 0.3 and 1 for all traits, which differ from job to job. */
function buildJobWeights(job: number): Uint8Array {
  const priorities: TraitPriorities = Object.fromEntries(
    traitCodes.map((code, index) => [code, 0.3 + (0.7 * (((index + job) * 7) % 20)) / 20]),
  );
  return quantiseWeights(computeFitWeights(priorities, builtInNorms).relative);
}

/** The bytes of a member that the scan reads for a job: it skips groups of slots without a weight, which are whole cache lines. */
function countReadBytes(weights: Uint8Array): number {
  const groups = Array.from({ length: slotCount / groupSlots }, (_, group) =>
    weights.subarray(group * groupSlots, (group + 1) * groupSlots),
  );
  return groups.filter((group) => group.some((weight) => weight > 0)).length * groupSlots;
}

async function measureOneJob(
  { one, two, loop }: Scanners,
  bound: StreamBound,
  peers: Peers,
  size: number,
  rounds: number,
): Promise<string[][]> {
  const job = buildJobWeights(0);
  const bytes = size * countReadBytes(job);
  const createTopSubject = (scanner: Scanner) => () =>
    measureTime(() => findTopMembers(scanner, [job], shortlist));
  const repeatLeast = (times: number, work: () => Promise<number>) => async () => {
    let best = Infinity;
    for (let time = 0; time < times; time += 1) best = Math.min(best, await work());
    return best;
  };
  const cost = await measureLeast<string>(
    {
      bound1: repeatLeast(5, () => bound.measureRead(bytes, 1)),
      bound2: repeatLeast(5, () => bound.measureRead(bytes, 2)),
      one: repeatLeast(5, createTopSubject(one)),
      two: repeatLeast(5, createTopSubject(two)),
      loop: createTopSubject(loop),
      ...peers.createSubjects(job),
    },
    rounds,
  );
  const row = (what: string, threads: string, name: string, against: 'one' | 'two', limit?: string) =>
    cost[name] === undefined
      ? []
      : [
          [
            what,
            size.toLocaleString('en'),
            threads,
            formatMilliseconds(cost[name]),
            limit ? formatPercent(cost[limit]! / cost[name]) : '',
            name === against || name.startsWith('bound') ? '' : formatRatio(cost[name] / cost[against]!),
          ],
        ];
  return [
    ...row('the bound', '1', 'bound1', 'one'),
    ...row('the bound', '2', 'bound2', 'two'),
    ...row('Tessera', '1', 'one', 'one', 'bound1'),
    ...row('Tessera', '2', 'two', 'two', 'bound2'),
    ...row('the plain loop', '1', 'loop', 'one', 'bound1'),
    ...row('usearch', '1', 'usearch1', 'one', 'bound1'),
    ...row('usearch', '2', 'usearch2', 'two', 'bound2'),
    ...row('SQL', '1', 'sql1', 'one', 'bound1'),
    ...row('SQL', '3', 'sql3', 'two', 'bound2'),
  ];
}

async function measureManyJobs({ one, two }: Scanners, size: number, rounds: number): Promise<string[]> {
  const jobs = Array.from({ length: batchJobs }, (_, index) => buildJobWeights(index));
  const createPassSubject = (scanner: Scanner) => () =>
    measureTime(() => findTopMembers(scanner, jobs, shortlist));
  const cost = await measureLeast({ one: createPassSubject(one), two: createPassSubject(two) }, rounds);
  const formatPairRate = (time: number) => `${((batchJobs * size) / time / 1e6).toFixed(2)} G/s`;
  const members = `${size.toLocaleString('en')} members`;
  return [
    members,
    formatMilliseconds(cost.two),
    formatPairRate(cost.two),
    formatMilliseconds(cost.one),
    formatPairRate(cost.one),
  ];
}

/** The systems with which Tessera is compared, filled with the same numbers. */
type Peers = {
  createSubjects(job: Uint8Array): Record<string, () => Promise<number>>;
  close(): Promise<void>;
};

async function openPeers(
  cleaning: AsyncDisposableStack,
  population: Population,
  wanted: { readonly sql: boolean; readonly usearch: boolean },
): Promise<Peers> {
  const client = wanted.sql ? await createFilledTable(cleaning, population) : undefined;
  const vectors = wanted.usearch ? toFloats(population) : undefined;
  return {
    createSubjects: (job) => ({
      ...(vectors && createUsearchSubjects(vectors, job)),
      ...(client && createSqlSubjects(client, job)),
    }),
    close: async () => client?.end(),
  };
}

function toFloats(population: Population): Float32Array {
  const floats = new Float32Array(population.ids.size * traitSlotCount);
  for (let position = 0; position < population.ids.size; position += 1)
    for (let trait = 0; trait < traitSlotCount; trait += 1)
      floats[position * traitSlotCount + trait] =
        population.bytes[locateSlot(population.threads, position, trait)]!;
  return floats;
}

type ExactSearch = (
  vectors: Float32Array,
  queries: Float32Array,
  dimensions: number,
  count: number,
  metric: string,
  threads: number,
) => unknown;

// The ES module of usearch does not start, because it looks for its binary in the wrong directory. `require` returns no type.
const { exactSearch, MetricKind } = createRequire(import.meta.url)('usearch') as {
  readonly exactSearch: ExactSearch;
  readonly MetricKind: { readonly IP: string };
};

function createUsearchSubjects(
  vectors: Float32Array,
  job: Uint8Array,
): Record<string, () => Promise<number>> {
  const query = Float32Array.from(job.subarray(0, traitSlotCount));
  const createSearch = (threads: number) => () =>
    measureTime(() => exactSearch(vectors, query, traitSlotCount, shortlist, MetricKind.IP, threads));
  return { usearch1: createSearch(1), usearch2: createSearch(2) };
}

function createSqlSubjects(client: pg.Client, job: Uint8Array): Record<string, () => Promise<number>> {
  const sum = traitCodes.map((_, slot) => `${job[slot]}::real * mean_${slot}`).join(' + ');
  const createSearch = (workers: number) => async () => {
    await client.query(`set max_parallel_workers_per_gather = ${workers}`);
    return measureTime(() =>
      client.query(`select id, ${sum} as fit from people order by fit desc limit ${shortlist}`),
    );
  };
  return { sql1: createSearch(0), sql3: createSearch(2) };
}

async function createFilledTable(cleaning: AsyncDisposableStack, population: Population): Promise<pg.Client> {
  const server = await startEmbeddedPostgres({ dataDir: await createTemporaryDirectory(cleaning) });
  cleaning.defer(() => server.stop());
  const client = new pg.Client({ ...server.connection, ssl: false });
  await client.connect();
  // By default the planner uses one process for a table of this size, but the benchmark also measures more workers.
  await client.query(
    'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0',
  );
  const floats = toFloats(population);
  const rows = Array.from(
    { length: population.ids.size },
    (_, row) => `{${floats.subarray(row * traitSlotCount, (row + 1) * traitSlotCount).join()}}`,
  );
  const columns = traitCodes.map((_, slot) => `mean[${slot + 1}] as mean_${slot}`);
  await client.query(
    `create unlogged table people as select place as id, ${columns.join()} from unnest($1::text[]) with ordinality as given (text, place),
     lateral (select text::real[] as mean) as array_of`.replace(
      '$1',
      `'{${rows.map((row) => `"${row}"`).join()}}'`,
    ),
  );
  await client.query('vacuum analyze people');
  return client;
}

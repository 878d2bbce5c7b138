import pg from 'pg';
import { temporaryDirectory } from './lib/directory.ts';
import { least, timed } from './lib/interleave.ts';
import { reader } from './lib/memory-bound.ts';
import { milliseconds, percent, type Benchmark } from './lib/report.ts';
import { standardWeights } from '../src/modules/matching/fit.ts';
import type { Population } from '../src/modules/matching/population.ts';
import { normalPopulation } from '../src/modules/matching/random-population.ts';
import { scoreAll, topMembers } from '../src/modules/matching/scan.ts';
import { matchJob } from '../src/modules/matching/shortlist.ts';
import { quantiseWeights } from '../src/modules/matching/slots.ts';
import { traitCodes, type TraitPriorities } from '#modules/traits';
import { startEmbeddedPostgres } from '#platform/embedded-postgres/index.ts';

const shortlist = 1000;

/** Scores everybody for one job: in memory as the service does, and in SQL over the same numbers. */
export const benchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const members = quick ? 10_000 : 100_000;
  const { members: people, population } = normalPopulation(members, 7);
  const client = await connected(cleaning);
  await fill(client, people);
  const rows: string[][] = [];
  for (const traits of [7, 12, 20])
    rows.push(...(await compared(client, population, jobOf(traits), quick ? 3 : 60)));
  return {
    title: `Scoring ${members.toLocaleString('en')} members for one job`,
    tables: [
      {
        head: [
          'what',
          'traits',
          'Tessera, one thread',
          'SQL, one process',
          'ratio',
          'SQL, two more workers',
          'ratio',
          'reading the same bytes',
        ],
        rows,
      },
    ],
    notes: [
      'SQL is the embedded PostgreSQL on a warm table, in the faster of two forms: a column a trait, or one array of them. "Scan" is every',
      `score and no list; "best ${shortlist}" is \`order by … limit ${shortlist}\`; the match measures mean and variance and goes by a lower bound, in`,
      'SQL too (in the last row of each job, SQL looks at means alone). The last column is a WebAssembly SIMD loop over as many bytes as the',
      'scan has to read. Target: under 10 % of SQL. Least of many, in turn.',
    ],
  };
};

/** Priorities between 0.3 and 1 for the first traits of the taxonomy. */
function jobOf(traits: number): TraitPriorities {
  return Object.fromEntries(
    traitCodes.slice(0, traits).map((code, index) => [code, 0.3 + (0.7 * ((index * 7) % traits)) / traits]),
  );
}

async function compared(
  client: pg.Client,
  population: Population,
  job: TraitPriorities,
  rounds: number,
): Promise<string[][]> {
  const weights = quantiseWeights(standardWeights(job));
  const scores = new Int32Array(population.ids.length);
  const traits = Object.keys(job).length;
  const read = reader(traits * population.ids.length);
  const cost = await least<string>(
    {
      scan: () => bestOf(5, () => scoreAll(population, weights, scores)),
      top: () => bestOf(5, () => topMembers(population, weights, shortlist)),
      match: () => bestOf(5, () => matchJob(population, job)),
      bound: () => bestOf(20, read),
      ...(await inSql(client, job)),
    },
    rounds,
  );
  const sql = (what: string, session: string) =>
    Math.min(...(['columns', 'array'] as const).map((form) => cost[`${what}:${form}:${session}`]!));
  const row = (what: string, mine: number, theirs: string, bound = '') => {
    const [alone, parallel] = [sql(theirs, 'alone'), sql(theirs, 'parallel')];
    const shown = [
      milliseconds(alone),
      percent(mine / alone),
      milliseconds(parallel),
      percent(mine / parallel),
    ];
    return [what, String(traits), milliseconds(mine), ...shown, bound];
  };
  return [
    row('scan', cost['scan']!, 'scan', milliseconds(cost['bound']!)),
    row(`best ${shortlist}`, cost['top']!, 'top'),
    row('the whole match', cost['match']!, 'match'),
    row('the whole match, SQL by means alone', cost['match']!, 'top'),
  ];
}

async function bestOf(repeats: number, work: () => unknown): Promise<number> {
  let best = Infinity;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

const sessions = {
  alone: 'set max_parallel_workers_per_gather = 0',
  parallel: 'set max_parallel_workers_per_gather = 2',
};

/** The statements by what they compute and in which form. */
async function inSql(
  client: pg.Client,
  job: TraitPriorities,
): Promise<Record<string, () => Promise<number>>> {
  const subjects: Record<string, () => Promise<number>> = {};
  for (const form of ['columns', 'array'] as const) {
    for (const [session, setting] of Object.entries(sessions)) {
      for (const [what, text] of Object.entries(statements(job, form))) {
        subjects[`${what}:${form}:${session}`] = async () => {
          await client.query(setting);
          return timed(() => client.query(text));
        };
      }
    }
  }
  return subjects;
}

function statements(
  job: TraitPriorities,
  form: 'columns' | 'array',
): Record<'scan' | 'top' | 'match', string> {
  const weights = [...standardWeights(job)]
    .map((weight, slot) => ({ weight, slot }))
    .filter(({ weight }) => weight > 0);
  const place = (name: string, slot: number) =>
    form === 'array' ? `${name}[${slot + 1}]` : `${name}_${slot}`;
  const sum = (name: string, power: number) =>
    weights.map(({ weight, slot }) => `${weight ** power}::real * ${place(name, slot)}`).join(' + ');
  const best = (by: string) => `select id, ${by} as fit from by_${form} order by fit desc limit ${shortlist}`;
  return {
    scan: `select count(*) from by_${form} where ${sum('mean', 1)} > 1000`,
    top: best(sum('mean', 1)),
    match: best(`${sum('mean', 1)} - 0.8416212::real * sqrt(${sum('variance', 2)})::real`),
  };
}

async function connected(cleaning: AsyncDisposableStack): Promise<pg.Client> {
  const server = await startEmbeddedPostgres({ dataDir: await temporaryDirectory(cleaning) });
  cleaning.defer(() => server.stop());
  const client = new pg.Client({ ...server.connection, ssl: false });
  await client.connect();
  cleaning.defer(() => client.end());
  // The planner would keep a table of this size to one process; whether workers pay is measured.
  await client.query(
    'set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0',
  );
  return client;
}

async function fill(
  client: pg.Client,
  people: ReturnType<typeof normalPopulation>['members'],
): Promise<void> {
  const asArray = (values: readonly number[]) => `{${values.join()}}`;
  await client.query('create unlogged table by_array (id integer, mean real[], variance real[])');
  await client.query(
    'insert into by_array select place, mean::real[], variance::real[] from unnest($1::text[], $2::text[]) with ordinality as given (mean, variance, place)',
    [people.map(({ mean }) => asArray(mean)), people.map(({ variance }) => asArray(variance))],
  );
  const slots = traitCodes.map((_, slot) => slot);
  const columns = ['mean', 'variance'].flatMap((name) =>
    slots.map((slot) => `${name}[${slot + 1}] as ${name}_${slot}`),
  );
  await client.query(`create unlogged table by_columns as select id, ${columns.join()} from by_array`);
  await client.query('vacuum analyze by_array');
  await client.query('vacuum analyze by_columns');
}

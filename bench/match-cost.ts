import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { builtInNorms, traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { createNormalPopulation, openTerms } from '#test/modules/random-population.ts';
import { computeFitWeights, type FitWeights } from '../src/modules/matching/engine/fit.ts';
import { findListEnd } from '../src/modules/matching/engine/list-end.ts';
import {
  compareMembers,
  createPackedJobs,
  upsertJob,
  type ComparedMember,
  type PackedJob,
  type PackedJobs,
} from '../src/modules/matching/engine/packed-jobs.ts';
import { measureMatch } from '../src/modules/matching/engine/shortlist.ts';
import { root } from './lib/directory.ts';
import { formatMilliseconds, type Benchmark, type Table } from './lib/report.ts';
import type { Measured } from './match-cost/scenario.ts';

const runFile = promisify(execFile);

/**
 * Measures what computations of matches cost in all: a new job, a recomputation without a change, new members; and comparing members with 100,000
 * jobs. With `BENCH_BEFORE`, the folder of an older tree with its modules, the same runs there, before.
 */
export const runBenchmark: Benchmark = async ({ quick }) => {
  const before = process.env['BENCH_BEFORE'];
  const scenario = 'bench/match-cost/scenario.ts';
  for (const file of before ? [scenario, 'bench/lib/cost-meter.ts'] : [])
    await cp(path.join(root, file), path.join(before!, file));
  const trees = [...(before ? [['before', before] as const] : []), ['now', root] as const];
  const rows: string[][] = [];
  const turns: string[] = [];
  for (const [name, tree] of trees) {
    const words = [scenario, ...(quick ? ['5000', '24'] : [])];
    const { stdout } = await runFile(process.execPath, words, { cwd: tree, maxBuffer: 1 << 24 });
    // The scenario prints it in the last line.
    const { costs, turn_ms } = JSON.parse(stdout.trim().split('\n').at(-1)!) as Measured;
    turns.push(`${name} ${formatMilliseconds(turn_ms)}`);
    for (const { what, node_ms, database_ms, statements, wal_bytes } of costs)
      rows.push([
        what,
        name,
        formatMilliseconds(node_ms),
        formatMilliseconds(database_ms),
        statements.toFixed(1),
        Math.round(wal_bytes).toLocaleString('en'),
      ]);
  }
  const order = [...new Set(rows.map(([what]) => what))];
  return {
    title: 'What computations of matches cost',
    tables: [
      {
        head: ['for each', '', 'Node', 'PostgreSQL', 'statements', 'bytes of WAL'],
        rows: order.flatMap((what) => rows.filter(([each]) => each === what)),
      },
      await comparePairs(quick),
    ],
    notes: [
      `${quick ? '5,000 members and 24' : '100,000 members and 64'} jobs of as many organisations; a new job gets up to 1,000 matches. Processor time of all threads of the service, of`,
      'the backends of PostgreSQL that ran at the beginning, and statements with those that begin and commit. An answer is requested over REST, by a client in the same process.',
      `The longest turn of the computation of all jobs, in processor time: ${turns.join(', ')}.`,
    ],
  };
};

/** The priorities and the sizes of lists repeat: each so many jobs, the next ones are alike. */
const kinds = 115;

/** Compares members with jobs that ask for two to five traits, in processor time of this thread. */
async function comparePairs(quick: boolean): Promise<Table> {
  const jobs = quick ? 10_000 : 100_000;
  const { members } = createNormalPopulation(quick ? 100 : 1_000, 5);
  const weights = Array.from({ length: kinds }, (_, kind) =>
    computeFitWeights(buildPriorities(kind), builtInNorms),
  );
  const pack = (ends: readonly PackedJob['end'][]) => {
    const packed = createPackedJobs();
    for (let place = 0; place < jobs; place += 1) {
      const [id, org_id, kind] = [`${place}`, `${place % 1_000}`, place % kinds];
      upsertJob(packed, { id, org_id, version: 1, terms: openTerms, end: ends[kind]! }, weights[kind]!);
    }
    return packed;
  };
  const withRoom = pack(weights.map(() => null));
  // As if the lists had the best hundredth: 1,000 of 100,000 members.
  const full = pack(weights.map((each) => findEnd(members, each)));
  const one_ms = await measurePairs(members);
  const sample = members.slice(0, 20);
  const compareEach = async (packed: PackedJobs) => {
    let found = 0;
    for (const member of sample) found += (await compareMembers(packed, [member]))[0]!.found.length;
    return Math.round(found / sample.length);
  };
  // As many at once as a computation compares.
  const passMembers = Math.max(1, Math.floor(1_000_000 / jobs));
  const compareAll = async (packed: PackedJobs) => {
    for (let from = 0; from < members.length; from += passMembers)
      await compareMembers(packed, members.slice(from, from + passMembers));
  };
  const row = (what: string, count: number, time_ms: number) => [
    what,
    formatMilliseconds(time_ms),
    `${((1e6 * time_ms) / count).toFixed(0)} ns`,
  ];
  const rows = [row('a member, each pair with weights of its own, as before', jobs, one_ms * jobs)];
  for (const [lists, packed] of [
    ['lists with room', withRoom],
    ['full lists', full],
  ] as const) {
    const found = await compareEach(packed);
    const single_ms = await measureProcessorTime(() => compareEach(packed));
    const all_ms = await measureProcessorTime(() => compareAll(packed));
    rows.push(
      row(
        `a member, ${lists}, who enters ${found.toLocaleString('en')} of them`,
        jobs,
        single_ms / sample.length,
      ),
      row(`${members.length.toLocaleString('en')} members together, ${lists}`, jobs * members.length, all_ms),
    );
  }
  return { head: [`comparing with ${jobs.toLocaleString('en')} jobs`, 'time', 'a pair'], rows };
}

function buildPriorities(kind: number): TraitPriorities {
  return Object.fromEntries(
    traitCodes
      .filter((_code, slot) => (kind * 7 + slot * 5) % 23 < 4)
      .map((code, rank) => [code, 1 / (1 + ((kind + rank) % 5))]),
  );
}

/** Finds where a list of a hundredth of the members ends. */
function findEnd(members: readonly ComparedMember[], weights: FitWeights): PackedJob['end'] {
  const matches = members
    .map((member) => measureMatch(member, { weights, terms: openTerms }))
    .toSorted((one, other) => other.choice - one.choice);
  return findListEnd(matches, members.length / 100);
}

/** Measures the time of a pair whose weights are computed for it alone. */
async function measurePairs(members: readonly ComparedMember[]): Promise<number> {
  const pairs = 20_000;
  const measureAll = () => {
    for (let place = 0; place < pairs; place += 1) {
      const weights = computeFitWeights(buildPriorities(place % kinds), builtInNorms);
      measureMatch(members[place % 100]!, { weights, terms: openTerms });
    }
  };
  measureAll();
  return (await measureProcessorTime(measureAll)) / pairs;
}

async function measureProcessorTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

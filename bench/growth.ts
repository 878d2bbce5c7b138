import path from 'node:path';
import pg from 'pg';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import {
  computeAllLists,
  measureChanges,
  measureReading,
  measureVacuum,
  readBytes,
  type Installation,
} from './growth/operations.ts';
import { countRows, growTo, type Size } from './growth/sizes.ts';
import { insertCallers } from './lib/callers.ts';
import { createMeter, type Cost } from './lib/cost-meter.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { startOwnService } from './lib/own-service.ts';
import { formatMilliseconds, type Benchmark, type Report } from './lib/report.ts';

const sizes: readonly Size[] = [
  { members: 10_000, jobs: 40 },
  { members: 100_000, jobs: 200 },
  { members: 1_000_000, jobs: 1_000 },
];
const quickSizes: readonly Size[] = [
  { members: 2_000, jobs: 8 },
  { members: 10_000, jobs: 32 },
];

/** Above this, a cost grows faster than what it depends on, beyond what a busy machine explains. */
const exponent_max = 1.15;

/** Measures one installation that grows: what each change of its lists costs, what reading them costs, what it stores and writes, and with which exponents. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const installation = await startInstallation(cleaning);
  const steps: Step[] = [];
  for (const size of quick ? quickSizes : sizes) steps.push(await measureStep(installation, size));
  return buildReport(steps, quick);
};

async function startInstallation(cleaning: AsyncDisposableStack): Promise<Installation> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startOwnService(cleaning, dataDir);
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const [caller] = await insertCallers(settings, dataDir, service.url, 1);
  return { platform: service.app.platform, client, measure: createMeter(client), org_id: caller!.org_id };
}

/** What was measured at a size. */
type Step = Size & {
  readonly matches: number;
  readonly bytes: number;
  readonly costs: ReadonlyMap<string, Cost>;
};

async function measureStep(installation: Installation, size: Size): Promise<Step> {
  const { client, org_id } = installation;
  await growTo(client, org_id, size);
  await computeAllLists(installation);
  await client.query('vacuum analyze matches');
  await client.query('vacuum analyze member_matches');
  const [matches, bytes] = [await countRows(client, 'matches'), await readBytes(client)];
  const costs = [
    ...(await measureReading(installation)),
    ...(await measureChanges(installation)),
    await measureVacuum(installation),
  ];
  return { ...size, matches, bytes, costs: new Map(costs.map((cost) => [cost.what, cost])) };
}

/** What a cost may grow with. */
type Base = 'members' | 'jobs' | 'matches';

/** What each cost may grow with. */
const bases: Readonly<Record<string, Base>> = {
  'a new job': 'members',
  'its recomputation without a change': 'members',
  'other priorities of a job': 'members',
  'a member of 100 who arrive together': 'jobs',
  'a new policy over everything': 'jobs',
  'a page in the middle of the list of an organisation': 'matches',
  'a page of the list of a job': 'matches',
  'the list of a member': 'jobs',
  'the people of a bias report': 'matches',
  'the vacuum of both tables after that': 'matches',
};

type Line = {
  readonly what: string;
  readonly base: Base;
  readonly values: readonly number[];
  readonly format: (value: number) => string;
};

function buildReport(steps: readonly Step[], quick: boolean): Report {
  const lines = listLines(steps);
  const measured = lines.map((line) => ({ ...line, exponent: computeExponent(steps, line) }));
  const failures = measured
    .filter(({ exponent }) => exponent > exponent_max)
    .map(({ what, base, exponent }) => `${what}: grows with ${base} to the power of ${exponent.toFixed(2)}.`);
  return {
    title: 'What grows with members and jobs',
    tables: [
      {
        head: [
          '',
          ...steps.map(({ members, jobs }) => `${formatCount(members)} members, ${formatCount(jobs)} jobs`),
          'exponent',
          'of',
        ],
        rows: measured.map(({ what, base, values, format, exponent }) => [
          what,
          ...values.map(format),
          exponent.toFixed(2),
          base,
        ]),
      },
    ],
    notes: [
      'One organisation has all jobs; lists have up to 1,000 people. Costs are processor time of Node and PostgreSQL together. The exponent is that of the power by which a cost',
      `grows with what is named, from the first size to the last; above ${exponent_max} the run fails. WAL a day is what is written if each day a hundredth of the members arrives or is`,
      'measured again, a hundredth of the jobs is new, another one gets other priorities, and every list is computed again without a change.',
    ],
    ...(quick ? {} : { failures }),
  };
}

function listLines(steps: readonly Step[]): readonly Line[] {
  const find = ({ costs }: Step, what: string) => costs.get(what)!;
  const times = Object.entries(bases).map(([what, base]) => ({
    what,
    base,
    values: steps.map((step) => find(step, what).node_ms + find(step, what).database_ms),
    format: formatMilliseconds,
  }));
  const written = ['a new job', 'other priorities of a job', 'a member of 100 who arrive together'] as const;
  const wal = written.map((what) => ({
    what: `WAL of ${what}`,
    base: bases[what]!,
    values: steps.map((step) => find(step, what).wal_bytes),
    format: formatBytes,
  }));
  return [
    ...times,
    ...wal,
    // Nine tenths of it are of members who arrive.
    { what: 'WAL a day', base: 'members', values: steps.map(computeDailyWal), format: formatBytes },
    { what: 'matches', base: 'jobs', values: steps.map(({ matches }) => matches), format: formatCount },
    {
      what: 'bytes of matches',
      base: 'matches',
      values: steps.map(({ bytes }) => bytes),
      format: formatBytes,
    },
  ];
}

function computeDailyWal({ members, jobs, costs }: Step): number {
  const read = (what: string) => costs.get(what)!.wal_bytes;
  return (
    0.01 * members * read('a member of 100 who arrive together') +
    0.01 * jobs * (read('a new job') + read('other priorities of a job')) +
    jobs * read('its recomputation without a change')
  );
}

/** Computes the slope of the logarithms from the first size to the last. What is zero, or was, does not grow. */
function computeExponent(steps: readonly Step[], { base, values }: Line): number {
  const [first, last] = [steps[0]!, steps.at(-1)!];
  const [from, to] = [values[0]!, values.at(-1)!];
  if (from <= 0 || to <= 0) return 0;
  return Math.log(to / from) / Math.log(last[base] / first[base]);
}

function formatCount(value: number): string {
  return value.toLocaleString('en');
}

function formatBytes(value: number): string {
  return value >= 1e6 ? `${(value / 1e6).toPrecision(3)} MB` : `${(value / 1e3).toPrecision(3)} kB`;
}

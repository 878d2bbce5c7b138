import { hashPassword } from '../src/modules/access/accounts/index.ts';
import { measureLeast, measureTime } from './lib/measure.ts';
import type { Benchmark, Report } from './lib/report.ts';
import { constants, planPopulation, prices, type Plan } from './scale/plan.ts';

const populations = [10_000_000, 100_000_000, 1_000_000_000];

/** Calculates what larger populations need, from constants that other benches measured. Only the hash of a password is measured here. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  const hash = () => measureTime(() => hashPassword('Correct-Horse-7-Battery'));
  const { hash_ms } = await measureLeast({ hash_ms: hash }, quick ? 3 : 50);
  const plans = populations.map((members) => planPopulation(members));
  return {
    title: 'What larger populations need',
    tables: [
      {
        head: ['constant', 'value', 'from'],
        rows: Object.values(constants).map(({ what, value, unit, from }) => [
          what,
          `${value.toLocaleString('en')} ${unit}`,
          from,
        ]),
      },
      buildPlanTable(plans),
    ],
    notes: [
      `Calculated, not run. A password hash took ${hash_ms.toFixed(1)} ms now. Prices: ${prices.core_usd} dollars a month for a core with 4 GB, ${prices.disk_gb_usd} for a GB of disk,`,
      `${prices.archive_gb_usd} for a GB of archive.`,
    ],
  };
};

function buildPlanTable(plans: readonly Plan[]): Report['tables'][number] {
  const rows: readonly (readonly [string, (plan: Plan) => string])[] = [
    ['active jobs', ({ jobs }) => jobs.toLocaleString('en')],
    ['tables', ({ tables_gb }) => formatGigabytes(tables_gb)],
    ['WAL a day', ({ daily_wal_gb }) => formatGigabytes(daily_wal_gb)],
    ['archive: two copies and the WAL of a week', ({ archive_gb }) => formatGigabytes(archive_gb)],
    ['memory of the index', ({ index_gb }) => formatGigabytes(index_gb)],
    ['parts of the index', ({ parts }) => String(parts)],
    ['one list of a job, one core', ({ job_s }) => formatSeconds(job_s)],
    ['a member against all jobs, one core', ({ member_s }) => formatSeconds(member_s)],
    ['all lists again, hours of a core', ({ lists_hours }) => formatCount(lists_hours)],
    ['members who arrive in a day, hours of a core', ({ arrivals_hours }) => formatCount(arrivals_hours)],
    ['requests a second at the peak', ({ peak_requests }) => formatCount(peak_requests)],
    ['of them commits', ({ peak_commits }) => formatCount(peak_commits)],
    ['cores that serve requests at the peak', ({ api_cores }) => formatCount(api_cores)],
    ['cores of the database at the peak', ({ database_cores }) => formatCount(database_cores)],
    ['database servers, each with a standby', ({ servers }) => String(servers)],
    ['dollars a month', ({ monthly_usd }) => formatCount(monthly_usd)],
    ['dollars a month for 1,000 members', (plan) => ((plan.monthly_usd / plan.members) * 1_000).toFixed(2)],
  ];
  return {
    head: ['', ...plans.map(({ members }) => `${members.toLocaleString('en')} members`)],
    rows: rows.map(([name, format]) => [name, ...plans.map(format)]),
  };
}

function formatGigabytes(gigabytes: number): string {
  return gigabytes < 1_000 ? `${formatCount(gigabytes)} GB` : `${formatCount(gigabytes / 1_000)} TB`;
}

function formatSeconds(seconds: number): string {
  return seconds < 1 ? `${formatCount(seconds * 1_000)} ms` : `${formatCount(seconds)} s`;
}

/** Rounds to two digits: the constants are no more exact than that. */
function formatCount(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en');
}

import type { Platform } from '#platform/platform.ts';
import { listReports, type ProbingReport } from './store.ts';

const reports_max = 1_000;

/** Lists the organisations whose jobs look like an attempt to measure traits, the latest first. For the operator. */
export async function listProbing({
  database,
}: Pick<Platform, 'database'>): Promise<{ readonly reports: readonly ProbingReport[] }> {
  return { reports: await listReports(database, reports_max) };
}

const sentences: Readonly<Record<ProbingReport['pattern'], string>> = {
  narrow_jobs: 'many jobs that ask for one trait, of many traits',
  repeated_changes: 'many changes of one job',
  most_changes: 'most of the changes that its tier allows',
};

/** One line for each report: the organisation, and what it did. */
export function formatProbing({
  reports,
}: {
  readonly reports: readonly ProbingReport[];
}): Readonly<Record<string, string>> {
  if (reports.length === 0) return { reports: 'none' };
  return Object.fromEntries(
    reports.map(({ org_id, organisation, pattern, last_reported_at, report_count }) => [
      `${org_id} ${pattern}`,
      `${organisation}: ${sentences[pattern]}; reported ${report_count} times, last at ${last_reported_at.toISOString()}`,
    ]),
  );
}

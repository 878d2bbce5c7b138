import { recordAudit } from '#modules/operations/audit';
import { findOrganisation } from '#modules/organisations/orgs';
import type { TaskContext } from '#platform/queue/task.ts';
import { jobLimits } from '../rules.ts';
import { computeDailyVersions, day_ms, findProbingPatterns, probingPatterns } from './rules.ts';
import { countVersions, upsertReport } from './store.ts';

/** The reports of this process. */
export const probingCounter = {
  name: 'tessera_probing_reports_total',
  help: 'Reports about organisations whose jobs look like an attempt to measure traits, by pattern.',
  label: 'pattern',
  values: probingPatterns,
} as const;

/**
 * Reports to the operator if what an organisation asks for looks like an attempt to measure traits: an audit entry that only platform
 * administrators can read, a metric, a line in the log, and the list of `cli org list-probing`. Each pattern is reported once a day. It runs
 * before the matches of a job are computed, because a version without matches measures nothing.
 */
export async function reportProbing(
  { database, now, metrics, log }: Pick<TaskContext, 'database' | 'now' | 'metrics' | 'log'>,
  org_id: string,
): Promise<void> {
  const organisation = await findOrganisation(database, org_id);
  if (!organisation) return;
  const time = now();
  const since = new Date(time.getTime() - day_ms);
  const limits = jobLimits[organisation.tier];
  const recent = await countVersions(database, org_id, { since, versions_max: computeDailyVersions(limits) });
  for (const pattern of findProbingPatterns(recent, limits))
    await database.transaction(async (tx) => {
      if (!(await upsertReport(tx, { org_id, pattern }, { now: time, since }))) return;
      // Without org_id, so that the organisation does not read it.
      const detail = { organisation_id: org_id, pattern };
      await recordAudit(tx, { now: time, actor: null, action: 'jobs.probing_reported', detail });
      tx.afterCommit(() => {
        metrics.count(probingCounter, pattern);
        log.warn({ org_id, pattern }, 'the jobs of an organisation look like an attempt to measure traits');
      });
    });
}

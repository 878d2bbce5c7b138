import { recordAudit } from '#modules/audit';
import { findOrganisation, type Organisation } from '#modules/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { jobLimits } from '../rules.ts';
import { computeDailyVersions, day_ms, findProbingPatterns } from './rules.ts';
import { countVersions, upsertReport } from './store.ts';

/**
 * Reports to the operator if what an organisation asks for looks like an attempt to measure traits: an audit entry that only platform
 * administrators can read, a metric, a line in the log, and the list of `cli org list-probing`. Each pattern is reported once a day.
 *
 * @param locked The organisation, if the transaction has read it already.
 */
export async function reportProbing(
  { caller, now, metrics, log }: Pick<Context<'org_admin'>, 'caller' | 'now' | 'metrics' | 'log'>,
  tx: Transaction,
  locked: Organisation | undefined,
): Promise<void> {
  const { org_id } = caller;
  const time = now();
  const since = new Date(time.getTime() - day_ms);
  const organisation = locked ?? (await findOrganisation(tx, org_id));
  if (!organisation) return;
  const limits = jobLimits[organisation.tier];
  const recent = await countVersions(tx, org_id, { since, versions_max: computeDailyVersions(limits) });
  for (const pattern of findProbingPatterns(recent, limits)) {
    if (!(await upsertReport(tx, { org_id, pattern }, { now: time, since }))) continue;
    // Without org_id, so that the organisation does not read it.
    const detail = { organisation_id: org_id, pattern };
    await recordAudit(tx, { now: time, actor: null, action: 'jobs.probing_reported', detail });
    tx.afterCommit(() => {
      metrics.countProbing(pattern);
      log.warn({ org_id, pattern }, 'the jobs of an organisation look like an attempt to measure traits');
    });
  }
}

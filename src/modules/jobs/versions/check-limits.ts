import { Refusal } from '#lib/refusal.ts';
import { lockOrganisation, type Organisation } from '#modules/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { jobLimits } from '../rules.ts';
import { checkVersionTime, computeDailyVersions } from './rules.ts';
import { countActiveJobs, findVersionTime } from './store.ts';

type LimitContext = Pick<Context<'org_admin'>, 'caller' | 'config' | 'now'>;

/** What a request adds: an active job, a first version of a job, or a changed version. */
export type Addition = {
  readonly active_job: boolean;
  readonly version: 'first' | 'changed' | undefined;
};

/**
 * Checks the limits of the organisation's tier, and locks the organisation until the transaction ends, so that requests at the same time
 * count each other. Does nothing if rate limits are off.
 *
 * @returns the locked organisation, if it was needed.
 * @throws Refusal `job_limit_reached`, `change_limit_reached`.
 */
export async function checkLimits(
  context: LimitContext,
  tx: Transaction,
  addition: Addition,
): Promise<Organisation | undefined> {
  const { caller, config, now } = context;
  if (!config.rateLimits || (!addition.active_job && !addition.version)) return undefined;
  const { org_id } = caller;
  const organisation = await lockOrganisation(tx, org_id);
  if (!organisation) throw new Refusal('organisation_not_found');
  const limits = jobLimits[organisation.tier];
  const only_changes = addition.version === 'changed';
  const place = only_changes ? limits.daily_changes : computeDailyVersions(limits);
  const [active_jobs, version_time] = await Promise.all([
    addition.active_job ? countActiveJobs(tx, org_id) : 0,
    addition.version ? findVersionTime(tx, org_id, { place, only_changes }) : undefined,
  ]);
  if (addition.active_job && active_jobs >= limits.active_jobs)
    throw new Refusal('job_limit_reached', {
      detail: `The tier ${organisation.tier} allows ${limits.active_jobs} active jobs. Close one first.`,
    });
  if (addition.version) checkVersionTime(version_time, place, now());
  return organisation;
}

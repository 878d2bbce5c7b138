import { Refusal } from '#lib/refusal.ts';
import { lockOrganisation } from '#modules/orgs';
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
 * @throws Refusal `job_limit_reached`, `change_limit_reached`.
 */
export async function checkLimits(context: LimitContext, tx: Transaction, addition: Addition): Promise<void> {
  const { caller, config, now } = context;
  if (!config.rateLimits || (!addition.active_job && !addition.version)) return;
  const { org_id } = caller;
  const organisation = await lockOrganisation(tx, org_id);
  if (!organisation) throw new Refusal('organisation_not_found');
  const limits = jobLimits[organisation.tier];
  if (addition.active_job && (await countActiveJobs(tx, org_id)) >= limits.active_jobs)
    throw new Refusal('job_limit_reached', {
      detail: `The tier ${organisation.tier} allows ${limits.active_jobs} active jobs. Close one first.`,
    });
  if (!addition.version) return;
  const only_changes = addition.version === 'changed';
  const place = only_changes ? limits.daily_changes : computeDailyVersions(limits);
  checkVersionTime(await findVersionTime(tx, org_id, { place, only_changes }), place, now());
}

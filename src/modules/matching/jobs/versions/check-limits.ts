import { Refusal, requireFound } from '#lib/refusal.ts';
import { lockOrganisation, type Organisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { jobLimits } from '../rules.ts';
import { checkVersionTime, computeDailyVersions } from './rules.ts';
import { countActiveJobs, findVersionTime } from './store.ts';

type LimitContext = Pick<Context<'org_admin'>, 'config' | 'now'> & {
  readonly caller: { readonly org_id: string };
};

/** What a request adds: an active job, a first version of a job, or a changed version. */
export type Addition = {
  readonly active_job: boolean;
  readonly version: 'first' | 'changed' | undefined;
};

/**
 * Locks the organisation whose limits apply until the transaction ends, so that requests at the same time count each other.
 *
 * @returns the organisation; undefined if nothing is limited, because the request adds nothing or rate limits are off.
 */
export async function lockLimits(
  { caller, config }: LimitContext,
  tx: Transaction,
  { active_job, version }: Addition,
): Promise<Organisation | undefined> {
  if (!config.rateLimits || (!active_job && !version)) return undefined;
  const organisation = requireFound(await lockOrganisation(tx, caller.org_id), 'organisation_not_found');
  return organisation;
}

/**
 * Checks the limits of the organisation's tier. It reads before the request writes, and may share a round trip with the writing.
 *
 * @param locked What {@link lockLimits} has returned.
 * @throws Refusal `job_limit_reached`, `change_limit_reached`.
 */
export async function checkLimits(
  { now }: LimitContext,
  tx: Transaction,
  locked: Organisation | undefined,
  { active_job, version }: Addition,
): Promise<void> {
  if (!locked) return;
  const { id: org_id, tier } = locked;
  const limits = jobLimits[tier];
  const only_changes = version === 'changed';
  const place = only_changes ? limits.daily_changes : computeDailyVersions(limits);
  const [active_jobs, version_time] = await Promise.all([
    active_job ? countActiveJobs(tx, org_id) : 0,
    version ? findVersionTime(tx, org_id, { place, only_changes }) : undefined,
  ]);
  if (active_job && active_jobs >= limits.active_jobs)
    throw new Refusal('job_limit_reached', {
      detail: `The tier ${tier} allows ${limits.active_jobs} active jobs. Close one first.`,
    });
  if (version) checkVersionTime(version_time, place, now());
}

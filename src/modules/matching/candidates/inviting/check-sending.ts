import { Refusal } from '#lib/refusal.ts';
import { findOrganisationJob, type Job } from '#modules/matching/jobs';
import {
  checkSender,
  createTooManyMailsRefusal,
  lockOwnOrganisation,
} from '#modules/organisations/org-users';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { computeLimitWaitSeconds, invitationLimits } from '../rules.ts';
import { findSendingTime } from '../store.ts';

/**
 * Locks the caller's organisation, so that requests at the same time count each other, and checks that it may send an invitation to a job now.
 *
 * @returns the job.
 * @throws Refusal `email_not_verified`, `job_closed`, `job_not_found`, `organisation_name_taken`, `organisation_not_found`, `too_many_requests`.
 */
export async function checkSending(
  context: Context<'org_admin'>,
  tx: Transaction,
  job_id: string,
): Promise<Job> {
  const { caller, config, now } = context;
  const organisation = await lockOwnOrganisation(tx, caller);
  await checkSender(context, tx, organisation);
  const job = await findOrganisationJob(tx, caller.org_id, job_id);
  if (!job) throw new Refusal('job_not_found');
  if (job.status !== 'active') throw new Refusal('job_closed');
  if (config.rateLimits) {
    const oldest = await findSendingTime(tx, caller.org_id, invitationLimits[organisation.tier]);
    const wait_s = computeLimitWaitSeconds(oldest, now());
    if (wait_s > 0) throw createTooManyMailsRefusal(wait_s);
  }
  return job;
}

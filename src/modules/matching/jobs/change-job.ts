import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import type { Organisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { jobActivated, jobChanged, jobClosed } from './events.ts';
import { settleChanges } from './boards/store.ts';
import {
  findChangeEvent,
  hasNewRequirements,
  listChangedFields,
  patchJob,
  mayChangeRequirements,
} from './rules.ts';
import type { PrioritiesChoice } from './priorities-choice.ts';
import type { Job, JobFields } from './resource.ts';
import { lockOrganisationJob, updateJob, updateJobTitle } from './store.ts';
import { checkLimits, lockLimits, type Addition } from './versions/check-limits.ts';
import { recordVersion } from './add-job.ts';

type ChangeContext = Pick<Context<'org_admin'>, 'config' | 'now' | 'queue'> & {
  readonly caller: Pick<Context<'org_admin'>['caller'], 'role' | 'org_id' | 'user_id' | 'service_key'>;
};

const events = { 'job.activated': jobActivated, 'job.changed': jobChanged, 'job.closed': jobClosed };

/** A job that a transaction has locked, with its organisation if limits of it may apply to the change. */
export type LockedJob = { readonly job: Job; readonly limiting: Organisation | undefined };

/**
 * Locks a job of the caller's organisation and, if the patch could make it active or add a version, the organisation whose limits apply,
 * in one round trip.
 *
 * @throws Refusal `job_not_found`.
 */
export async function lockJobForChange(
  context: ChangeContext,
  tx: Transaction,
  job_id: string,
  patch: Partial<JobFields>,
): Promise<LockedJob> {
  const [limiting, job] = await Promise.all([
    lockLimits(context, tx, findPossibleAddition(patch)),
    lockOrganisationJob(tx, context.caller.org_id, job_id),
  ]);
  if (!job) throw new Refusal('job_not_found');
  return { job, limiting };
}

/** Finds what a patch adds at most, whatever the job is like. */
function findPossibleAddition(patch: Partial<JobFields>): Addition {
  return {
    active_job: patch.status === 'active',
    version: mayChangeRequirements(patch) ? 'changed' : undefined,
  };
}

/** What is changed, and what the organisation has chosen after a preview of the impact. */
type JobPatch = { readonly patch: Partial<JobFields>; readonly choice?: PrioritiesChoice | undefined };

/**
 * Changes a job that {@link lockJobForChange} has locked for this patch, emits the event for matching and writes an audit entry. Does nothing if no field changes.
 *
 * @throws Refusal like `patchJob`; `job_limit_reached`, `change_limit_reached`.
 */
export async function changeJob(
  context: ChangeContext,
  tx: Transaction,
  { job, limiting }: LockedJob,
  { patch, choice }: JobPatch,
): Promise<Job> {
  const patchedJob = patchJob(job, patch);
  const fields = listChangedFields(job, patchedJob);
  if (fields.length === 0) return job;
  const isNewVersion = hasNewRequirements(job, patchedJob);
  const addition: Addition = {
    active_job: job.status !== 'active' && patchedJob.status === 'active',
    version: isNewVersion ? 'changed' : undefined,
  };
  const [, storedJob] = await Promise.all([
    checkLimits(context, tx, limiting, addition),
    updateJob(tx, {
      ...patchedJob,
      version: job.version + Number(isNewVersion),
      updated_at: context.now(),
    }),
  ]);
  if (isNewVersion) recordVersion(tx, storedJob, context.now());
  settleChanges(tx, job.org_id, storedJob.external_ref);
  if (storedJob.title !== job.title) updateJobTitle(tx, job.id, storedJob.title);
  const eventName = findChangeEvent(job, patchedJob);
  if (eventName) await context.queue.emit(tx, events[eventName], { job_id: job.id, org_id: job.org_id });
  await recordCallerAudit(context, tx, {
    action: eventName === 'job.closed' ? 'jobs.closed' : 'jobs.updated',
    org_id: context.caller.org_id,
    detail: { job_id: job.id, fields: fields.join(', '), ...(choice && { choice }) },
  });
  return storedJob;
}

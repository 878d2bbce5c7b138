import { recordCallerAudit } from '#modules/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { jobActivated, jobChanged, jobClosed } from './events.ts';
import { findChangeEvent, hasNewRequirements, listChangedFields, patchJob, type JobFields } from './rules.ts';
import { updateJob, updateJobTitle, type Job } from './store.ts';
import { checkLimits, lockLimits, type Addition } from './versions/check-limits.ts';
import { recordVersion } from './versions/record-version.ts';

const events = { 'job.activated': jobActivated, 'job.changed': jobChanged, 'job.closed': jobClosed };

/**
 * Changes a job that the transaction has locked, emits the event for matching and writes an audit entry. Does nothing if no field changes.
 *
 * @throws Refusal like `patchJob`; `job_limit_reached`, `change_limit_reached`.
 */
export async function changeJob(
  context: Pick<Context<'org_admin'>, 'caller' | 'config' | 'now' | 'queue'>,
  tx: Transaction,
  job: Job,
  patch: Partial<JobFields>,
): Promise<Job> {
  const patchedJob = patchJob(job, patch);
  const fields = listChangedFields(job, patchedJob);
  if (fields.length === 0) return job;
  const isNewVersion = hasNewRequirements(job, patchedJob);
  const addition: Addition = {
    active_job: job.status !== 'active' && patchedJob.status === 'active',
    version: isNewVersion ? 'changed' : undefined,
  };
  const locked = await lockLimits(context, tx, addition);
  const [, storedJob] = await Promise.all([
    checkLimits(context, tx, locked, addition),
    updateJob(tx, { ...patchedJob, version: job.version + Number(isNewVersion) }),
  ]);
  if (isNewVersion) recordVersion(tx, storedJob, context.now());
  if (storedJob.title !== job.title) updateJobTitle(tx, job.id, storedJob.title);
  const eventName = findChangeEvent(job, patchedJob);
  if (eventName) await context.queue.emit(tx, events[eventName], { job_id: job.id, org_id: job.org_id });
  await recordCallerAudit(context, tx, {
    action: eventName === 'job.closed' ? 'jobs.closed' : 'jobs.updated',
    org_id: context.caller.org_id,
    detail: { job_id: job.id, fields: fields.join(', ') },
  });
  return storedJob;
}

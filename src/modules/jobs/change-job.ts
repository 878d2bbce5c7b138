import { recordAudit } from '#modules/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { jobActivated, jobChanged, jobClosed } from './events.ts';
import { listChangedFields, findChangeEvent, patchJob, type JobFields } from './rules.ts';
import { updateJob, type Job } from './store.ts';

const events = { 'job.activated': jobActivated, 'job.changed': jobChanged, 'job.closed': jobClosed };

/** Changes a job that the transaction has locked, tells matching what it has to know, and writes the audit log; nothing where nothing changes. */
export async function changeJob(
  { caller, now, queue }: Pick<Context<'org_admin'>, 'caller' | 'now' | 'queue'>,
  tx: Transaction,
  job: Job,
  patch: Partial<JobFields>,
): Promise<Job> {
  const changed = patchJob(job, patch);
  const fields = listChangedFields(job, changed);
  if (fields.length === 0) return job;
  await updateJob(tx, changed);
  const eventName = findChangeEvent(job, changed);
  if (eventName) await queue.emit(tx, events[eventName], { job_id: job.id });
  await recordAudit(tx, {
    now: now(),
    actor_user_id: caller.user_id,
    action: eventName === 'job.closed' ? 'jobs.closed' : 'jobs.updated',
    org_id: caller.org_id,
    detail: { job_id: job.id, fields: fields.join(', ') },
  });
  return changed;
}

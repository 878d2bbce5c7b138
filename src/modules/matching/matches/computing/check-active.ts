import { Refusal } from '#lib/refusal.ts';
import type { Job } from '#modules/matching/jobs';

/** @throws Refusal `job_closed` unless the job is active. */
export function checkActive({ status }: Pick<Job, 'status'>): void {
  if (status !== 'active')
    throw new Refusal('job_closed', {
      detail: `The job is ${status}. Only active jobs are matched: PATCH /orgs/me/jobs/{job_id} with the status active opens it.`,
    });
}

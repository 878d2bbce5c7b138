import * as jobs from '#modules/matching/jobs';
import type { Page } from '../../serving/page.ts';

/** A job as a JobPosting, for a page of the organisation. */
export const postingFilePage: Page = {
  show: async ({ call, params }) => {
    const file = await call(jobs.exportPosting, { job_id: params['job_id'] ?? '' });
    return { kind: 'download', file, media_type: 'application/ld+json' };
  },
};

import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { formatExternalId } from '#lib/external-id.ts';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { findOrganisation } from '#modules/organisations/orgs';
import { file, operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findOrganisationJob } from '../store.ts';
import { buildJobPosting } from './build-job-posting.ts';

export const exportPosting = operation({
  name: 'jobs.exportPosting',
  title: 'Download a job as a JobPosting',
  summary:
    'Downloads an active job as the schema.org JobPosting in JSON-LD, for a page of your own. It has the text of the job, its conditions and its salary, and nothing of its priorities. The job does not say where the work is done: add `jobLocation`, unless it is remote.',
  who: orgRoles,
  input: Type.Object({ job_id: uuid }),
  output: { 200: file('application/ld+json') },
  refuses: ['job_not_found', 'job_closed', 'organisation_not_found'],
  samples: {
    reply: '{"@context":"https://schema.org","@type":"JobPosting","title":"Registered nurse", …',
  },
  run: async ({ database, caller }, { job_id }) => {
    const [job, organisation] = await Promise.all([
      findOrganisationJob(database, caller.org_id, job_id),
      findOrganisation(database, caller.org_id),
    ]);
    const found = requireFound(job, 'job_not_found');
    if (found.status !== 'active') throw new Refusal('job_closed');
    const posting = buildJobPosting(found, requireFound(organisation, 'organisation_not_found'));
    return {
      filename: `${formatExternalId('JOB', job_id)}.jsonld`,
      // In the script of a page, no text of the job can end the script.
      content: JSON.stringify(posting, null, 2).replaceAll('<', String.raw`\u003c`),
    };
  },
});

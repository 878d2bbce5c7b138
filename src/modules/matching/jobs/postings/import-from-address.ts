import { text, field, closedObject } from '#platform/schema.ts';
import { operation } from '#platform/operation.ts';
import { importReply } from './draft-reply.ts';
import { buildDrafts } from './build-drafts.ts';
import { fetchPostings } from './fetch-postings.ts';

export const importFromAddress = operation({
  name: 'jobs.importFromAddress',
  title: 'Make drafts of the jobs at an address',
  summary:
    'Fetches a page with a schema.org JobPosting, or the public job board of an organisation at Greenhouse, Lever or Ashby, and returns drafts as POST /orgs/me/jobs/import does, with what differs from jobs of the same `external_ref`. At most one megabyte is read, in ten seconds. Nothing is stored or changed.',
  who: ['org_admin'],
  input: closedObject({
    url: field(
      text(2_000),
      'The address of a page, or of a board as people or programs read it: https://boards.greenhouse.io/name, https://jobs.lever.co/name, https://jobs.ashbyhq.com/name.',
      'https://jobs.lever.co/river-murray-trust',
    ),
  }),
  output: { 200: importReply },
  run: async (context, { url }) => buildDrafts(context, await fetchPostings(context, url)),
});

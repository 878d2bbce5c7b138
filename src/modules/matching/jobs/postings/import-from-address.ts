import { closedObject } from '#platform/schema.ts';
import { operation } from '#platform/operation.ts';
import { addressInput } from './board-address.ts';
import { importReply } from './draft-reply.ts';
import { buildDrafts } from './build-drafts.ts';
import { fetchPostings } from './fetch-postings.ts';

export const importFromAddress = operation({
  name: 'jobs.importFromAddress',
  title: 'Make drafts of the jobs at an address',
  summary:
    'Fetches a page with a schema.org JobPosting, or the public job board of an organisation at Greenhouse, Lever or Ashby, and returns drafts as POST /orgs/me/jobs/import does, with what differs from jobs of the same `external_ref`. At most one megabyte is read, or 16 of a board, in ten seconds. Nothing is stored or changed.',
  who: ['org_admin'],
  input: closedObject({ url: addressInput }),
  output: { 200: importReply },
  run: async (context, { url }) => buildDrafts(context, await fetchPostings(context, url)),
});

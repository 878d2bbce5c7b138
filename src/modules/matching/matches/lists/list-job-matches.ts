import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisationJob } from '#modules/matching/jobs';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { matchWire } from '../wire.ts';
import { organisationQuery, readMatchPage, toMatchFilter } from './match-page.ts';

export const listJobMatches = operation({
  name: 'matches.listJobMatches',
  summary:
    'Lists the matches of a job, best tier first. Within a tier, the order is random but stable. `member_id` is an alias until both have agreed.',
  who: orgRoles,
  input: Type.Object({
    job_id: uuid,
    ...organisationQuery,
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(matchWire) },
  refuses: ['job_not_found', 'email_not_verified', 'cursor_invalid'],
  tools: [
    {
      name: 'list_job_matches',
      title: 'List the matches of a job',
      kind: 'read',
      roles: orgRoles,
      consent: 'Read the shortlists of your jobs',
      description:
        'Lists the people who match a job, best tier first, under an alias. The order within a tier is random. job_id is from list_jobs. Real names are shown only after both sides have agreed. Pass pagination.next_cursor as cursor for the next page.',
    },
  ],
  run: async (context, { limit, cursor, ...filter }) => {
    const job = await findOrganisationJob(context.database, context.caller.org_id, filter.job_id);
    if (!job) throw new Refusal('job_not_found');
    return readMatchPage(context, 'matches.listJobMatches', toMatchFilter(filter), { limit, cursor, job });
  },
});

import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisationJob } from '#modules/matching/jobs';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { matchWire } from '../wire.ts';
import { organisationQuery, readMatchPage, toMatchFilter } from './match-page.ts';

export const listOrganisationMatches = operation({
  name: 'matches.listOrganisationMatches',
  summary: 'Lists the matches of all jobs of the caller’s organisation, or of one of them, best tier first.',
  who: orgRoles,
  input: Type.Object({
    job_id: Type.Optional(uuid),
    ...organisationQuery,
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(matchWire) },
  refuses: ['job_not_found', 'email_not_verified', 'cursor_invalid'],
  run: async (context, { limit, cursor, ...filters }) => {
    const { org_id } = context.caller;
    const job = filters.job_id
      ? await findOrganisationJob(context.database, org_id, filters.job_id)
      : undefined;
    if (filters.job_id && !job) throw new Refusal('job_not_found');
    const filter = { ...filters, org_id };
    return readMatchPage(context, 'matches.listOrganisationMatches', toMatchFilter(filter), {
      limit,
      cursor,
      job,
    });
  },
});

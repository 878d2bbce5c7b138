import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findJob } from '#modules/matching/jobs';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { matchWire } from '../wire.ts';
import { organisationQuery, readMatchPage, toMatchFilter } from './match-page.ts';

export const listMatchesByJob = operation({
  name: 'matches.listMatchesByJob',
  summary:
    'Lists the matches of a job for its organisation and for platform administrators, best tier first.',
  who: [...orgRoles, 'platform_admin'],
  input: Type.Object({
    job_id: uuid,
    ...organisationQuery,
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(matchWire) },
  refuses: ['job_not_found', 'email_not_verified', 'cursor_invalid'],
  run: async (context, { limit, cursor, ...filter }) => {
    const { caller, database } = context;
    const job = await findJob(database, filter.job_id);
    if (!job || (caller.role !== 'platform_admin' && caller.org_id !== job.org_id))
      throw new Refusal('job_not_found');
    return readMatchPage(context, 'matches.listMatchesByJob', toMatchFilter(filter), { limit, cursor, job });
  },
});

import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisationJob, referenceText } from '#modules/matching/jobs';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { countReferences, listReferences as listStored, type ReferencePlace } from './store.ts';
import { referenceWire } from './wire.ts';

export const listReferences = operation({
  name: 'matches.listReferences',
  title: 'List your own ids of matches',
  summary:
    'Lists what a program of the caller’s organisation has noted on matches of a job, all or with one external_ref. Members and other organisations never read it.',
  who: ['org_admin', 'org_viewer'],
  input: Type.Object({ job_id: uuid, external_ref: Type.Optional(referenceText), ...pageQuery }),
  output: { 200: buildPageSchema(referenceWire) },
  refuses: ['job_not_found', 'email_not_verified', 'cursor_invalid'],
  run: async (context, { job_id, external_ref, limit, cursor }) => {
    await checkVerifiedAdmin(context);
    const { database, caller } = context;
    if (!(await findOrganisationJob(database, caller.org_id, job_id))) throw new Refusal('job_not_found');
    const filter = { job_id, external_ref };
    return readPage(
      context,
      { name: 'matches.listReferences', filter, limit, cursor },
      {
        list: (after: ReferencePlace | undefined, rows_max) => listStored(database, filter, after, rows_max),
        count: () => countReferences(database, filter),
        getPlace: ({ match_id }): ReferencePlace => [match_id],
        toItem: (reference) => reference,
      },
    );
  },
});

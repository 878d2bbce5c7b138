import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { countOrganisationReads, listOrganisationReads, type ReadPlace } from '#modules/income/books';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { computePseudonym } from './pseudonym.ts';
import { organisationReadWire, toOrganisationReadWire } from './wire.ts';

export const listReads = operation({
  name: 'reads.listReads',
  title: 'List the reads of your organisation',
  summary:
    'Lists the reads that the caller’s organisation has made, newest first: who read what, when, and for how much. The member has the pseudonym of the reads.',
  who: orgRoles,
  input: Type.Object(pageQuery),
  output: { 200: buildPageSchema(organisationReadWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor }) => {
    const { database, caller } = context;
    const { org_id } = caller;
    return readPage(
      context,
      { name: 'reads.listReads', filter: { org_id }, limit, cursor },
      {
        list: (after: ReadPlace | undefined, rows_max) =>
          listOrganisationReads(database, org_id, after, rows_max),
        count: () => countOrganisationReads(database, org_id),
        getPlace: ({ created_at, id }): ReadPlace => [created_at.toISOString(), id],
        toItem: (read) => toOrganisationReadWire(read, computePseudonym(context, org_id, read.member_id)),
      },
    );
  },
});

import { orgRoles } from '#lib/caller.ts';
import { countOrganisationReads, listOrganisationReads } from '#modules/income/books';
import { listOperation } from '#platform/list-operation.ts';
import { computePseudonym } from './pseudonym.ts';
import { organisationReadWire, toOrganisationReadWire } from './wire.ts';

export const listReads = listOperation({
  name: 'reads.listReads',
  title: 'List the reads of your organisation',
  summary:
    'Lists the reads that the caller’s organisation has made, newest first: who read what, when, and for how much. The member has the pseudonym of the reads.',
  who: orgRoles,
  getOwner: ({ org_id }) => org_id,
  list: listOrganisationReads,
  count: countOrganisationReads,
  getPlace: ({ created_at, id }) => [created_at.toISOString(), id],
  item: organisationReadWire,
  toItem: (read, context) =>
    toOrganisationReadWire(
      read,
      computePseudonym(context, context.caller.org_id, read.known_as ?? read.member_id),
    ),
});

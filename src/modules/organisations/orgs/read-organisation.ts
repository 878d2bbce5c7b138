import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { findOrganisation } from './store.ts';
import { organisationResource } from './resource.ts';

export const readOrganisation = operation({
  name: 'orgs.readOrganisation',
  summary: 'Reads the caller’s organisation.',
  who: orgRoles,
  output: { 200: organisationResource.wire },
  etag: true,
  refuses: ['organisation_not_found'],
  run: async ({ database, caller }) => {
    const organisation = await findOrganisation(database, caller.org_id);
    if (!organisation) throw new Refusal('organisation_not_found');
    return organisationResource.toWire(organisation);
  },
});

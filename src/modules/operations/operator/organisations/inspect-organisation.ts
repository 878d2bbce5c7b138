import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { listDomainClaims, findOrganisation } from '#modules/organisations/orgs';
import { organisationDetailWire, toDetailWire } from './wire.ts';

export const inspectOrganisation = operation({
  name: 'operator.inspectOrganisation',
  title: 'Read any organisation',
  summary: 'Reads any organisation, with the email domains that it claims.',
  who: ['platform_admin'],
  input: Type.Object({ org_id: uuid }),
  output: { 200: organisationDetailWire },
  etag: true,
  refuses: ['organisation_not_found'],
  run: async ({ database }, { org_id }) => {
    const [organisation, domains] = await Promise.all([
      findOrganisation(database, org_id),
      listDomainClaims(database, org_id),
    ]);
    if (!organisation) throw new Refusal('organisation_not_found');
    return toDetailWire(organisation, domains);
  },
});

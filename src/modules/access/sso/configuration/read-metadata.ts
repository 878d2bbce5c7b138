import { buildServiceMetadata } from '@tessera/saml';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisation } from '#modules/organisations/orgs';
import { file, operation } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { buildServiceProvider, hasSsoTier } from '../rules.ts';

export const readMetadata = operation({
  name: 'sso.readMetadata',
  title: 'Read the SAML metadata',
  summary:
    'Downloads the SAML metadata of this service for an organisation’s identity provider. It is available before single sign-on is configured.',
  who: 'anyone',
  input: closedObject({ org_id: uuid }),
  output: { 200: file('application/samlmetadata+xml') },
  refuses: ['sso_not_configured'],
  samples: { reply: '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">…</EntityDescriptor>' },
  run: async ({ database, config }, { org_id }) => {
    const organisation = await findOrganisation(database, org_id);
    if (!organisation || !hasSsoTier(organisation.tier)) throw new Refusal('sso_not_configured');
    const content = buildServiceMetadata(`_${org_id}`, buildServiceProvider(config.publicUrl, org_id));
    return { filename: 'tessera-metadata.xml', content };
  },
});

import { generateServiceProviderMetadata } from '@node-saml/node-saml';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisation } from '#modules/orgs';
import { file, operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { buildServiceProvider, hasSsoTier } from '../rules.ts';

export const readMetadata = operation({
  name: 'sso.readMetadata',
  summary:
    'What an identity provider needs to know of us, as SAML metadata. It is there before anything is configured, because the other side often comes first.',
  who: 'anyone',
  input: Type.Object({ org_id: uuid }, { additionalProperties: false }),
  output: { 200: file('application/samlmetadata+xml') },
  refuses: ['sso_not_configured'],
  run: async ({ database, config }, { org_id }) => {
    const organisation = await findOrganisation(database, org_id);
    if (!organisation || !hasSsoTier(organisation.tier)) throw new Refusal('sso_not_configured');
    const { sp_entity_id, acs_url } = buildServiceProvider(config.publicUrl, org_id);
    const content = generateServiceProviderMetadata({
      issuer: sp_entity_id,
      callbackUrl: acs_url,
      identifierFormat: null,
      wantAssertionsSigned: true,
      // The same for everybody who asks, so that it can be compared.
      generateUniqueId: () => `_${org_id}`,
    });
    return { filename: 'tessera-metadata.xml', content };
  },
});

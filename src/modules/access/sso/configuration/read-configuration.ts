import { Refusal } from '#lib/refusal.ts';
import { isVerifiedByName, listDomainClaims } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { requireSsoAccess } from '../require-sso-access.ts';
import { findConfiguration } from '../store.ts';
import { configurationWire, toWire } from '../wire.ts';

export const readConfiguration = operation({
  name: 'sso.readConfiguration',
  title: 'Read the SSO configuration',
  summary:
    'Reads the organisation’s single sign-on: the identity provider, the expiry of its certificates, the addresses that it needs, and the domains with the records that verify them.',
  who: ['org_admin', 'auditor'],
  input: closedObject({ org_id: uuid }),
  output: { 200: configurationWire },
  refuses: ['organisation_not_found', 'organisation_tier_too_low', 'sso_not_configured'],
  run: async (context, { org_id }) => {
    const { database, config, caller, now } = context;
    await requireSsoAccess(database, caller, org_id);
    const configuration = await findConfiguration(database, org_id);
    if (!configuration) throw new Refusal('sso_not_configured');
    return toWire(configuration, {
      publicUrl: config.publicUrl,
      now: now(),
      claims: await listDomainClaims(database, org_id),
      isVerifiedByName: (domain) => isVerifiedByName(context, domain),
    });
  },
});

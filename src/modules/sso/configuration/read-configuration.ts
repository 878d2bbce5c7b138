import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { requireSsoAccess } from '../require-sso-access.ts';
import { findConfiguration } from '../store.ts';
import { configurationWire, toWire } from '../wire.ts';

export const readConfiguration = operation({
  name: 'sso.readConfiguration',
  summary:
    'Reads the organisation’s single sign-on: the identity provider, the expiry of its certificates, and the addresses that it needs.',
  who: ['org_admin', 'auditor'],
  input: closedObject({ org_id: uuid }),
  output: { 200: configurationWire },
  refuses: ['organisation_not_found', 'organisation_tier_too_low', 'sso_not_configured'],
  run: async ({ database, config, caller, now }, { org_id }) => {
    await requireSsoAccess(database, caller, org_id);
    const configuration = await findConfiguration(database, org_id);
    if (!configuration) throw new Refusal('sso_not_configured');
    return toWire(configuration, config.publicUrl, now());
  },
});

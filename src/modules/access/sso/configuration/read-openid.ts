import { Refusal } from '#lib/refusal.ts';
import { isVerifiedByName, listDomainClaims } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { findOpenidConfiguration } from '../openid/store.ts';
import { openidWire, toOpenidWire } from '../openid/wire.ts';
import { requireSsoAccess } from '../require-sso-access.ts';

export const readOpenid = operation({
  name: 'sso.readOpenid',
  title: 'Read the OpenID Connect configuration',
  summary:
    'Reads the organisation’s OpenID Connect provider, without its secret, and the domains with the records that verify them.',
  who: ['org_admin', 'auditor'],
  input: closedObject({ org_id: uuid }),
  output: { 200: openidWire },
  refuses: ['organisation_not_found', 'organisation_tier_too_low', 'sso_not_configured'],
  run: async (context, { org_id }) => {
    const { database, config, caller, now } = context;
    await requireSsoAccess(database, caller, org_id);
    const configuration = await findOpenidConfiguration(database, org_id);
    if (!configuration) throw new Refusal('sso_not_configured');
    return toOpenidWire(configuration, {
      publicUrl: config.publicUrl,
      now: now(),
      claims: await listDomainClaims(database, org_id),
      isVerifiedByName: (domain) => isVerifiedByName(context, domain),
    });
  },
});

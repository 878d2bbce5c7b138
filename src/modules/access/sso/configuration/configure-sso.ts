import { readCertificateFacts } from '@tessera/saml';
import { Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { isVerifiedByName, listDomainClaims, lockOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { findOpenidConfiguration } from '../openid/store.ts';
import { requireSsoAccess } from '../require-sso-access.ts';
import { hasWiderTrust, type Configuration } from '../rules.ts';
import { lockForChange, upsertConfiguration } from '../store.ts';
import { configurationInput, configurationWire, toWire } from '../wire.ts';
import { claimAllDomains, refusePublicMailDomains } from './claim-all-domains.ts';
import { idpChecks, resolveIdp } from './resolve-idp.ts';

export const configureSso = operation({
  name: 'sso.configureSso',
  summary:
    'Sets or replaces the organisation’s SAML identity provider. Metadata is fetched once, during the request: send the request again when the metadata changes. All administrators are informed, and a new or changed provider logs no administrator in for a day. OpenID Connect must be off.',
  who: ['org_admin'],
  input: closedObject({ org_id: uuid, ...configurationInput }),
  output: { 200: configurationWire },
  refuses: ['organisation_not_found', 'organisation_tier_too_low', 'sso_other_protocol'],
  idempotent: true,
  samples: {
    request: {
      idp_metadata_url: 'https://idp.rivermurraytrust.example/saml/metadata',
      attribute_mapping: { email: 'email', name: 'displayName' },
      email_domains: ['rivermurraytrust.example'],
    },
  },
  checks: [({ email_domains }) => refusePublicMailDomains(email_domains), ...idpChecks],
  run: async (context, input) => {
    const {
      org_id,
      attribute_mapping,
      email_domains,
      default_role,
      allow_idp_initiated,
      enabled,
      ...idpInput
    } = input;
    const { config, caller } = context;
    await requireSsoAccess(context.database, caller, org_id);
    const domains = [...new Set(email_domains)];
    const idp = await resolveIdp(context, idpInput);
    const now = context.now();
    const configuration: Configuration = {
      ...idp,
      org_id,
      enabled: enabled ?? true,
      email_attribute: attribute_mapping?.email ?? 'email',
      name_attribute: attribute_mapping?.name ?? null,
      email_domains: domains,
      default_role: default_role ?? 'org_viewer',
      allow_idp_initiated: allow_idp_initiated ?? false,
      created_at: now,
      updated_at: now,
      provider_changed_at: now,
    };
    return context.transaction(async (tx) => {
      const stored = await replaceConfiguration(context, tx, configuration);
      const openid = await findOpenidConfiguration(tx, org_id);
      await claimAllDomains(tx, { org_id, domains: [domains, openid?.email_domains ?? []], now });
      const detail = buildAuditDetail(stored);
      await recordCallerAudit(context, tx, { action: 'sso.configured', org_id, detail });
      return toWire(stored, {
        publicUrl: config.publicUrl,
        now,
        claims: await listDomainClaims(tx, org_id),
        isVerifiedByName: (domain) => isVerifiedByName(context, domain),
      });
    });
  },
});

/** A provider that trusts nobody new keeps the time from which it logs administrators in. All of them are informed in any case. */
async function replaceConfiguration(
  context: Context<'org_admin'>,
  tx: Transaction,
  configuration: Configuration,
): Promise<Configuration> {
  const { org_id, enabled } = configuration;
  // So that OpenID Connect is not turned on at the same time.
  await lockOrganisation(tx, org_id);
  const openid = await findOpenidConfiguration(tx, org_id);
  if (enabled && openid?.enabled) throw new Refusal('sso_other_protocol');
  const before = await lockForChange(tx, org_id);
  const changed = hasWiderTrust(before, configuration)
    ? configuration
    : { ...configuration, provider_changed_at: before?.provider_changed_at ?? null };
  const stored = await upsertConfiguration(tx, changed);
  await queueAdministratorNotices(context, tx, org_id, 'identity_provider_changed');
  return stored;
}

/** The parts of a configuration that matter to an auditor: the trusted keys and domains, and the rights of new users. */
function buildAuditDetail(configuration: Configuration) {
  const { enabled, default_role, allow_idp_initiated, idp_certificates, email_domains } = configuration;
  return {
    enabled,
    default_role,
    allow_idp_initiated,
    certificates: idp_certificates.map((pem) => readCertificateFacts(pem).fingerprint).join(' '),
    email_domains: email_domains.join(' '),
  };
}

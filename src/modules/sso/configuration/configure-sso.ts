import { Type } from 'typebox';
import { recordAudit } from '#modules/audit';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { readCertificateFacts } from '../saml/certificates.ts';
import { resolveIdp } from './resolve-idp.ts';
import { requireSsoAccess } from '../require-sso-access.ts';
import type { Configuration } from '../rules.ts';
import { upsertConfiguration } from '../store.ts';
import { configurationInput, configurationWire, toWire } from '../wire.ts';

export const configureSso = operation({
  name: 'sso.configureSso',
  summary:
    'Sets the SAML identity provider of the organisation, in the place of the one before. Metadata is fetched once, now: send it again when it changes.',
  who: ['org_admin'],
  input: Type.Object({ org_id: uuid, ...configurationInput }, { additionalProperties: false }),
  output: { 200: configurationWire },
  refuses: ['organisation_not_found', 'organisation_tier_too_low'],
  idempotent: true,
  run: async (context, input) => {
    const { org_id, attribute_mapping, email_domains, default_role, allow_idp_initiated, enabled, ...told } =
      input;
    const { config, caller } = context;
    await requireSsoAccess(context.database, caller, org_id);
    const idp = await resolveIdp(context, told);
    const now = context.now();
    const wanted: Configuration = {
      ...idp,
      org_id,
      enabled: enabled ?? true,
      email_attribute: attribute_mapping?.email ?? 'email',
      name_attribute: attribute_mapping?.name ?? null,
      email_domains: [...new Set(email_domains.map((domain) => domain.toLowerCase()))],
      default_role: default_role ?? 'org_viewer',
      allow_idp_initiated: allow_idp_initiated ?? false,
      created_at: now,
      updated_at: now,
    };
    return context.transaction(async (tx) => {
      const kept = await upsertConfiguration(tx, wanted);
      await recordAudit(tx, {
        now,
        actor_user_id: caller.user_id,
        action: 'sso.configured',
        org_id,
        detail: buildAuditDetail(kept),
      });
      return toWire(kept, config.publicUrl, now);
    });
  },
});

/** What an auditor wants to see of a change: who is trusted now, by which keys, and how far. */
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

import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { isVerifiedByName, listDomainClaims, lockOrganisation } from '#modules/organisations/orgs';
import { describeOutboundError, OutboundError } from '#platform/outbound/outbound.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { findProvider, ProviderFault, type NamedProvider } from '../openid/connect-provider.ts';
import { sealClientSecret, unsealClientSecret } from '../openid/client-secret.ts';
import {
  hasSameSubjects,
  hasWiderOpenidTrust,
  isPersonalIssuer,
  type OpenidConfiguration,
} from '../openid/rules.ts';
import { deleteSubjects, findOpenidConfiguration, upsertOpenidConfiguration } from '../openid/store.ts';
import { openidInput, openidWire, toOpenidWire } from '../openid/wire.ts';
import { requireSsoAccess } from '../require-sso-access.ts';
import { findConfiguration } from '../store.ts';
import { claimAllDomains, refusePublicMailDomains } from './claim-all-domains.ts';

export const configureOpenid = operation({
  name: 'sso.configureOpenid',
  title: 'Configure OpenID Connect',
  summary:
    'Sets or replaces the organisation’s OpenID Connect provider, whose description is fetched now. All administrators are informed, and a new or changed provider logs no administrator in for a day. SAML must be off.',
  who: ['org_admin'],
  input: closedObject({ org_id: uuid, ...openidInput }),
  output: { 200: openidWire },
  refuses: ['organisation_not_found', 'organisation_tier_too_low', 'sso_other_protocol'],
  samples: {
    request: {
      issuer: 'https://login.rivermurraytrust.example',
      client_id: 'tessera',
      client_secret: 'kYd0_3nQ9-x4Q',
      email_domains: ['rivermurraytrust.example'],
    },
  },
  checks: [
    ({ email_domains }) => refusePublicMailDomains(email_domains),
    ({ issuer }) => {
      if (isPersonalIssuer(issuer))
        throw createFieldRefusal(
          'field_invalid',
          '/issuer',
          'must be the issuer of an organisation, not of personal accounts',
        );
    },
  ],
  run: async (context, { org_id, client_secret, ...input }) => {
    const { config, caller, database, secrets } = context;
    await requireSsoAccess(database, caller, org_id);
    const before = await findOpenidConfiguration(database, org_id);
    const secret = client_secret ?? keepSecret(context, before, input);
    await checkProvider(context, { ...input, client_secret: secret });
    const now = context.now();
    const configuration: OpenidConfiguration = {
      org_id,
      enabled: input.enabled ?? true,
      issuer: input.issuer,
      client_id: input.client_id,
      client_secret: sealClientSecret(secrets, org_id, secret),
      email_domains: [...new Set(input.email_domains)],
      default_role: input.default_role ?? 'org_viewer',
      role_claim: input.role_mapping?.claim ?? null,
      auditor_values: input.role_mapping?.auditor ?? [],
      created_at: now,
      updated_at: now,
      provider_changed_at: now,
    };
    return context.transaction(async (tx) => {
      const stored = await replaceOpenid(context, tx, configuration);
      const { issuer, client_id, enabled, default_role, email_domains } = stored;
      const detail = { enabled, issuer, client_id, default_role, email_domains: email_domains.join(' ') };
      await recordCallerAudit(context, tx, { action: 'sso.openid_configured', org_id, detail });
      return toOpenidWire(stored, {
        publicUrl: config.publicUrl,
        now,
        claims: await listDomainClaims(tx, org_id),
        isVerifiedByName: (domain) => isVerifiedByName(context, domain),
      });
    });
  },
});

/** A secret stays with the issuer that it was given for: a change of the issuer must not send it to another server. @throws Refusal `field_invalid`. */
function keepSecret(
  { secrets }: Context<'org_admin'>,
  before: OpenidConfiguration | undefined,
  after: Pick<OpenidConfiguration, 'issuer' | 'client_id'>,
): string {
  if (before?.issuer === after.issuer && before.client_id === after.client_id)
    return unsealClientSecret(secrets, before);
  const reason = before ? 'is required, because the issuer or the client id changes' : 'is required';
  throw createFieldRefusal('field_invalid', '/client_secret', reason);
}

/** @throws Refusal `field_invalid`. */
async function checkProvider(context: Context<'org_admin'>, provider: NamedProvider): Promise<void> {
  await findProvider(context, provider).catch((error: unknown) => {
    const reason =
      error instanceof OutboundError
        ? describeOutboundError(error, context.config)
        : error instanceof ProviderFault && error.message;
    if (reason === false) throw error;
    throw createFieldRefusal('field_invalid', '/issuer', reason);
  });
}

/** A provider that trusts nobody new keeps the time from which it logs administrators in. All of them are informed in any case. */
async function replaceOpenid(
  context: Context<'org_admin'>,
  tx: Transaction,
  configuration: OpenidConfiguration,
): Promise<OpenidConfiguration> {
  const { org_id, enabled, email_domains, created_at: now } = configuration;
  // So that SAML is not turned on at the same time.
  await lockOrganisation(tx, org_id);
  const saml = await findConfiguration(tx, org_id);
  if (enabled && saml?.enabled) throw new Refusal('sso_other_protocol');
  const before = await findOpenidConfiguration(tx, org_id);
  if (before && !hasSameSubjects(before, configuration)) await deleteSubjects(tx, org_id);
  const changed =
    !before || hasWiderOpenidTrust(before, configuration)
      ? configuration
      : { ...configuration, provider_changed_at: before.provider_changed_at };
  const stored = await upsertOpenidConfiguration(tx, changed);
  await claimAllDomains(tx, { org_id, domains: [email_domains, saml?.email_domains ?? []], now });
  await queueAdministratorNotices(context, tx, org_id, 'identity_provider_changed');
  return stored;
}

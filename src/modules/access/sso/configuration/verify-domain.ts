import { Refusal } from '#lib/refusal.ts';
import {
  buildDomainRecord,
  findDomainClaim,
  isPublicMailDomain,
  isVerifiedByName,
  recordDomainProof,
  type DomainClaim,
} from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { NameServerError } from '#platform/outbound/name-servers.ts';
import type { Services } from '#platform/platform.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { requireSsoAccess } from '../require-sso-access.ts';
import { domainInput, domainWire, toDomainWire } from '../domain-schemas.ts';

export const verifyDomain = operation({
  name: 'sso.verifyDomain',
  title: 'Verify a domain of SSO',
  summary:
    'Verifies a domain of the organisation’s single sign-on by looking for the TXT record that the configuration shows. The latest proof counts: an organisation that held the domain loses it.',
  who: ['org_admin'],
  input: closedObject({
    org_id: uuid,
    domain: field(domainInput, 'A domain of the configuration.', 'rivermurraytrust.example'),
  }),
  output: { 200: domainWire },
  refuses: [
    'organisation_not_found',
    'organisation_tier_too_low',
    'domain_not_found',
    'domain_unproven',
    'name_server_unavailable',
  ],
  run: async (context, { org_id, domain }) => {
    const { database, caller, now } = context;
    await requireSsoAccess(database, caller, org_id);
    const claim = await findDomainClaim(database, { org_id, domain });
    if (!claim || (await isPublicMailDomain(domain))) throw new Refusal('domain_not_found');
    const isVerified = isVerifiedByName(context, domain);
    if (isVerified || claim.verified_at !== null) return toDomainWire(claim, isVerified);
    await requireRecord(context, claim);
    const proof = { ...claim, verified_by: 'dns', actor: caller, now: now() } as const;
    const verified = await context.transaction((tx) => recordDomainProof(tx, proof));
    if (!verified) throw new Refusal('domain_not_found');
    return toDomainWire(verified, isVerified);
  },
});

/** @throws Refusal `domain_unproven`, `name_server_unavailable`. */
async function requireRecord({ findTextRecords }: Services, claim: DomainClaim): Promise<void> {
  const { name, value } = buildDomainRecord(claim);
  const texts = await findTextRecords(name).catch((error: unknown) => {
    if (!(error instanceof NameServerError)) throw error;
    throw new Refusal('name_server_unavailable', { headers: { 'retry-after': '60' } });
  });
  if (texts.some((text) => text.trim() === value)) return;
  const detail = `No TXT record of ${name} contains "${value}". A new record may take some time to be visible.`;
  throw new Refusal('domain_unproven', { detail });
}

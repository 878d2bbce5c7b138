import { readOutsideValue } from '#lib/outside-values.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import type { NewAuditEntry } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { isPublicMailDomain } from './check-domain-holder.ts';
import { createChallenge } from './claim-domains.ts';
import { recordDomainProof } from './record-domain-proof.ts';
import { hasOrganisation } from '../store.ts';
import { isDomain } from './rules.ts';
import { insertDomainClaim, lockDomainClaims } from './store.ts';

/**
 * Records, on the operator's word, that a domain belongs to an organisation, whether it has entered the domain for its single sign-on or not.
 *
 * @throws Refusal `field_invalid` for a text that is not a domain and for a public email domain, `organisation_not_found`.
 */
export async function verifyDomain(
  platform: Platform,
  input: Readonly<Record<string, string>>,
): Promise<{ readonly org_id: string; readonly domain: string; readonly verified_by: 'operator' }> {
  const org_id = readOutsideValue('id', input['org'] ?? '');
  const domain = readOutsideValue('domain', input['domain'] ?? '');
  await platform.database.transaction((tx) =>
    recordOperatorProof(platform, tx, { org_id, domain, actor: null }),
  );
  return { org_id, domain, verified_by: 'operator' };
}

/** Records the operator's word. @throws Refusal as {@link verifyDomain}. */
export async function recordOperatorProof(
  { now }: Pick<Services, 'now'>,
  tx: Transaction,
  {
    org_id,
    domain,
    actor,
  }: { readonly org_id: string; readonly domain: string; readonly actor: NewAuditEntry['actor'] },
): Promise<void> {
  if (!isDomain(domain)) throw createFieldRefusal('field_invalid', '/domain', 'must be a domain');
  if (await isPublicMailDomain(domain))
    throw createFieldRefusal('field_invalid', '/domain', 'must not be the domain of a public email service');
  if (!(await hasOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
  const at = now();
  await insertDomainClaim(tx, { org_id, domain, challenge: createChallenge(), created_at: at });
  const claims = await lockDomainClaims(tx, domain);
  const claim = claims.find((each) => each.org_id === org_id);
  // Its organisation has changed its single sign-on in between.
  if (!claim) throw new Refusal('domain_not_found');
  await recordDomainProof(tx, { ...claim, verified_by: 'operator', actor, now: at });
}

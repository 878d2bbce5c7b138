import { readOutsideValue } from '#lib/outside-values.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import type { NewAuditEntry } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { isPublicMailDomain } from './check-domain-holder.ts';
import { recordDomainProof } from './record-domain-proof.ts';
import { lockDomainClaims } from './store.ts';

/**
 * Records, on the operator's word, that a domain belongs to an organisation that claims it.
 *
 * @throws Refusal `field_invalid` for a public email domain, `domain_not_found` if the organisation does not claim the domain.
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
  if (await isPublicMailDomain(domain))
    throw createFieldRefusal('field_invalid', '/domain', 'must not be the domain of a public email service');
  const claim = (await lockDomainClaims(tx, domain)).find((each) => each.org_id === org_id);
  if (!claim) throw new Refusal('domain_not_found');
  await recordDomainProof(tx, { ...claim, verified_by: 'operator', actor, now: now() });
}

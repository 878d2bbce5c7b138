import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { findOrganisation, updateNameSkeleton } from '../store.ts';
import { createChallenge } from './claim-domains.ts';
import type { DomainClaim, DomainProof } from './rules.ts';
import { lockDomainClaims, markDomainLost, markDomainVerified } from './store.ts';

/** A proof that has just been checked, for the challenge that the claim had then. */
export type CheckedProof = Pick<DomainClaim, 'org_id' | 'domain' | 'challenge'> &
  Pick<DomainProof, 'verified_by'> & { readonly actor: NewAuditEntry['actor']; readonly now: Date };

/**
 * Makes an organisation the holder of a domain. The latest proof counts: an earlier holder loses the domain, and gets a new challenge, so
 * that a record that it left behind cannot take the domain back.
 *
 * @returns undefined if the claim has changed since the proof was checked.
 */
export async function recordDomainProof(
  tx: Transaction,
  { org_id, domain, challenge, verified_by, actor, now }: CheckedProof,
): Promise<DomainClaim | undefined> {
  const claims = await lockDomainClaims(tx, domain);
  const claim = claims.find((each) => each.org_id === org_id && each.challenge === challenge);
  if (!claim) return undefined;
  for (const loser of claims.filter((each) => each.verified_at !== null && each.org_id !== org_id)) {
    await markDomainLost(tx, { org_id: loser.org_id, domain, challenge: createChallenge() });
    // Without the actor, whom the other organisation need not know.
    const detail = { domain };
    await recordAudit(tx, { now, actor: null, action: 'orgs.domain_lost', org_id: loser.org_id, detail });
  }
  const verified = await markDomainVerified(tx, { org_id, domain, verified_at: now, verified_by });
  // From now on, nobody else may take a name that reads like that of the organisation.
  const organisation = await findOrganisation(tx, org_id);
  if (organisation) await updateNameSkeleton(tx, organisation);
  await recordAudit(tx, {
    now,
    actor,
    action: 'orgs.domain_verified',
    org_id,
    detail: { domain, verified_by },
  });
  return verified;
}

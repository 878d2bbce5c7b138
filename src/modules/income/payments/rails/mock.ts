import { randomUUID } from 'node:crypto';
import type { Services } from '#platform/platform.ts';
import { openClaim, type NewPurchase } from '../claims/open-claim.ts';
import type { NewClaim } from '../claims/store.ts';
import type { HashProof } from '../proof.ts';
import type { Claim, Purchase } from '../rules.ts';

/**
 * Accepts any payment, for development: no money moves. The client chooses the `tx_hash`, which pays once, as a real one does. The
 * configuration refuses this rail in production.
 *
 * @throws Refusal `payment_already_used`.
 */
export async function claimMockPayment(
  services: Services,
  { tx_hash }: HashProof,
  purchase: NewPurchase,
): Promise<Claim> {
  const claim = buildClaim(services.now(), purchase);
  const earlier = await openClaim(services, claim, [`mock:${tx_hash}`], purchase);
  return earlier ?? { ...claim, reason: null, attempted_at: claim.created_at };
}

function buildClaim(
  now: Date,
  { orgId, userId, memberId, tool, dataType, price, marketplaceMemberId, grantId }: Purchase,
): NewClaim {
  return {
    id: randomUUID(),
    state: 'settled',
    rail: 'mock',
    protocol_version: 'mock',
    org_id: orgId,
    user_id: userId,
    member_id: memberId,
    tool,
    data_type: dataType,
    marketplace_member_id: marketplaceMemberId ?? null,
    grant_id: grantId ?? null,
    price_micro: Number(price),
    amount_micro: Number(price),
    network: null,
    asset: null,
    payer: null,
    pay_to: null,
    nonce: null,
    valid_before: null,
    transaction: null,
    log_index: null,
    attempt_until: null,
    created_at: now,
    settled_at: now,
  };
}

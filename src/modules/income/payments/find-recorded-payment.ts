import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import type { ClaimedPayment } from './claim-payment.ts';
import type { JsonValue } from './claims/record-payment.ts';
import { findRecordedClaim, findResult, type PaymentIdentity } from './claims/store.ts';
import type { PaymentProof } from './proof.ts';
import type { Purchase } from './rules.ts';
import { toSettledPayment } from './settled-payment.ts';

/** A payment with the stored result of its read. */
export type RecordedPayment = Extract<ClaimedPayment, { readonly kind: 'recorded' }>;

/**
 * Finds the stored result of a payment that was recorded for this purchase. It claims, verifies and moves nothing, so it may be asked before
 * it is known whether the purchase is still allowed.
 */
export async function findRecordedPayment(
  services: Pick<Services, 'memory'>,
  proof: PaymentProof,
  purchase: Purchase,
): Promise<RecordedPayment | undefined> {
  const database = serviceDatabase(services);
  const claim = await findRecordedClaim(database, purchase, identifyPayment(proof));
  if (!claim) return undefined;
  // A result is plain JSON, because `recordPayment` wrote it.
  const result = (await findResult(database, claim.id)) as JsonValue;
  return { kind: 'recorded', result, payment: toSettledPayment(claim, purchase) };
}

function identifyPayment(proof: PaymentProof): PaymentIdentity {
  if (proof.kind === 'hash')
    return { mock_key: `mock:${proof.tx_hash}`, transaction: proof.tx_hash, payer: null, nonce: null };
  const { from, nonce } = proof.authorization;
  return {
    mock_key: null,
    transaction: null,
    payer: from.toLowerCase(),
    nonce: nonce.toLowerCase(),
  };
}

import { Refusal } from '#lib/refusal.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import type { JsonValue } from './claims/record-payment.ts';
import type { NewPurchase } from './claims/open-claim.ts';
import { findResult } from './claims/store.ts';
import type { PaymentProof } from './proof.ts';
import { claimMockPayment } from './rails/mock.ts';
import { claimTransfer } from './rails/transfer.ts';
import { isTransactionHash } from './rails/transfer-rules.ts';
import { claimX402Payment } from './rails/x402.ts';
import { continueClaim, type Claim, type Rail } from './rules.ts';
import { toSettledPayment, type SettledPayment } from './settled-payment.ts';

/** A payment that pays for the purchase: one without a read yet, or one with the stored result of the read. */
export type ClaimedPayment =
  | { readonly kind: 'settled'; readonly payment: SettledPayment }
  | { readonly kind: 'recorded'; readonly result: JsonValue; readonly payment: SettledPayment };

/**
 * Claims a payment for one purchase, verifies it and has it carried out, each in a short transaction of its own. The same payment for the
 * same purchase is never carried out twice: a repeated request continues where the first one ended, or gets its stored result.
 *
 * @throws Refusal with status 402 and a code that says what is wrong with the payment.
 * @throws Refusal `payment_already_used` if the payment was presented for another purchase.
 * @throws Refusal `payment_refunded` if the read was refused after the money had arrived.
 * @throws Refusal `payment_unresolved` if nobody knows yet whether the money has moved. The client sends the same payment again.
 */
export async function claimPayment(
  services: Services,
  proof: PaymentProof,
  purchase: NewPurchase,
): Promise<ClaimedPayment> {
  const claim = await settleByRail(services, proof, purchase);
  const payment = toSettledPayment(claim, purchase);
  if (claim.state === 'settled') return { kind: 'settled', payment };
  // A result is plain JSON, because `recordPayment` wrote it.
  const result = (await findResult(serviceDatabase(services), claim.id)) as JsonValue;
  return { kind: 'recorded', result, payment };
}

/** @returns a claim that is settled or recorded. */
async function settleByRail(services: Services, proof: PaymentProof, purchase: NewPurchase): Promise<Claim> {
  const rail = chooseRail(services.config.payments.rails, proof);
  const claim = await claimOnRail();
  const next = continueClaim(claim, services.now());
  if (next.do === 'refuse') throw new Refusal(next.code);
  return claim;

  function claimOnRail(): Promise<Claim> {
    if (proof.kind === 'x402') return claimX402Payment(services, proof, purchase);
    return rail === 'mock'
      ? claimMockPayment(services, proof, purchase)
      : claimTransfer(services, proof, purchase);
  }
}

/** @throws Refusal `payment_rail_unsupported`. */
function chooseRail(rails: readonly Rail[], proof: PaymentProof): Rail {
  const isReal = proof.kind === 'hash' && isTransactionHash(proof.tx_hash);
  // Where both are on, a hash of a real transaction is a transfer.
  const wanted: readonly Rail[] =
    proof.kind === 'x402' ? ['x402'] : isReal ? ['transfer', 'mock'] : ['mock', 'transfer'];
  const rail = wanted.find((each) => rails.includes(each));
  if (rail === undefined) throw new Refusal('payment_rail_unsupported');
  return rail;
}

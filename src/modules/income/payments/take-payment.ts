import { Refusal } from '#lib/refusal.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import type { JsonValue } from './end-payment.ts';
import { openPayment, type NewPaidRead, type PreparedPayment } from './open-payment.ts';
import { buildBalanceKey, prepareBalancePayment } from './rails/balance.ts';
import { prepareMockPayment } from './rails/mock.ts';
import type { BalanceProof, PaymentProof } from './rails/proof.ts';
import { isTransactionHash } from './rails/transfer-rules.ts';
import { takeTransfer } from './rails/transfer.ts';
import { takeX402Payment } from './rails/x402.ts';
import { continuePayment, type PaidRead, type Payment, type Rail } from './rules.ts';
import { toSettledPayment, type SettledPayment } from './settled-payment.ts';
import { findPaymentOfRead, findResult, type PaymentIdentity } from './store.ts';

/** A payment with the stored result of its read. */
export type RecordedPayment = {
  readonly kind: 'recorded';
  readonly result: JsonValue;
  readonly payment: SettledPayment;
};

/** A payment that pays for the read: one without a read yet, or one with the stored result of the read. */
export type TakenPayment = { readonly kind: 'settled'; readonly payment: SettledPayment } | RecordedPayment;

/**
 * Takes a payment for one read, verifies it and has it carried out, each in a short transaction of its own. The same payment for the same
 * read is never carried out twice: a repeated request continues where the first one ended, or gets its stored result.
 *
 * @throws Refusal with status 402 and a code that says what is wrong with the payment.
 * @throws Refusal `payment_already_used` if the payment was presented for another read.
 * @throws Refusal `payment_refunded` if the read was refused after the money had arrived.
 * @throws Refusal `payment_unresolved` if nobody knows yet whether the money has moved. The client sends the same payment again.
 */
export async function takePayment(
  services: Services,
  proof: PaymentProof,
  read: NewPaidRead,
): Promise<TakenPayment> {
  const taken = await takeOnRail(services, proof, read);
  const next = continuePayment(taken, services.now());
  if (next.do === 'refuse') throw new Refusal(next.code);
  if (taken.state === 'recorded') return readRecorded(services, taken, read);
  return { kind: 'settled', payment: toSettledPayment(taken, read) };
}

/** @returns a payment that is settled or recorded, or was refused. @throws Refusal `payment_rail_unsupported`. */
async function takeOnRail(services: Services, proof: PaymentProof, read: NewPaidRead): Promise<Payment> {
  const prepared = preparePayment(services, proof, read);
  if (prepared) return (await openPayment(services, prepared.payment, prepared.keys, prepared.read)).payment;
  if (proof.kind === 'x402') return takeX402Payment(services, proof, read);
  if (proof.kind === 'hash') return takeTransfer(services, proof, read);
  throw new Error('a payment from a balance is always prepared');
}

/**
 * Prepares a payment whose money moves in the books alone, or nowhere: a transaction can store it with its read.
 *
 * @returns undefined on the other rails.
 * @throws Refusal `payment_rail_unsupported`, `payment_underpaid`.
 */
export function preparePayment(
  services: Services,
  proof: PaymentProof,
  read: NewPaidRead,
): PreparedPayment | undefined {
  if (proof.kind === 'balance') return prepareBalancePayment(services, proof, read);
  const isMock = isSettledAtOnce(services.config, proof);
  return isMock && proof.kind === 'hash' ? prepareMockPayment(services, proof, read) : undefined;
}

/** Whether the money of a payment moves in the books alone, or nowhere. @throws Refusal `payment_rail_unsupported`. */
export function isSettledAtOnce(
  { payments }: Pick<Services['config'], 'payments'>,
  proof: PaymentProof,
): boolean {
  return proof.kind === 'balance' || chooseRail(payments.rails, proof) === 'mock';
}

function chooseRail(rails: readonly Rail[], proof: Exclude<PaymentProof, BalanceProof>): Rail {
  const isReal = proof.kind === 'hash' && isTransactionHash(proof.tx_hash);
  // Where both are on, a hash of a real transaction is a transfer.
  const wanted: readonly Rail[] =
    proof.kind === 'x402' ? ['x402'] : isReal ? ['transfer', 'mock'] : ['mock', 'transfer'];
  const rail = wanted.find((each) => rails.includes(each));
  if (rail === undefined) throw new Refusal('payment_rail_unsupported');
  return rail;
}

/**
 * Finds the stored result of a payment that was recorded for this read. It takes, verifies and moves nothing, so it may be asked before it is
 * known whether the read is still allowed.
 */
export async function findRecordedPayment(
  services: Pick<Services, 'memory'>,
  proof: PaymentProof,
  read: PaidRead,
): Promise<RecordedPayment | undefined> {
  const recorded = await findPaymentOfRead(serviceDatabase(services), read, identifyPayment(proof, read));
  return recorded && readRecorded(services, recorded, read);
}

function identifyPayment(proof: PaymentProof, { org_id }: PaidRead): PaymentIdentity {
  const unknown = { key: null, transaction: null, payer: null, nonce: null };
  if (proof.kind === 'hash') return { ...unknown, key: `mock:${proof.tx_hash}`, transaction: proof.tx_hash };
  if (proof.kind === 'balance') return { ...unknown, key: buildBalanceKey(org_id, proof.balance_key) };
  const { from, nonce } = proof.authorization;
  return { ...unknown, payer: from.toLowerCase(), nonce: nonce.toLowerCase() };
}

async function readRecorded(
  services: Pick<Services, 'memory'>,
  recorded: Payment,
  read: PaidRead,
): Promise<RecordedPayment> {
  // A result is plain JSON, because `recordPayment` wrote it.
  const result = (await findResult(serviceDatabase(services), recorded.id)) as JsonValue;
  return { kind: 'recorded', result, payment: toSettledPayment(recorded, read) };
}

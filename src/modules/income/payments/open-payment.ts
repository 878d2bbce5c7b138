import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import type { JsonValue } from './end-payment.ts';
import { isForRead, type NewPayment, type PaidRead, type Payment, type Rail } from './rules.ts';
import { findPayment, insertKeys, insertPayment, listPaymentsWithKeys, startAttempt } from './store.ts';

/**
 * A read, and what to do in the transaction that takes a payment for it: `reserve` counts the amount against a limit, and `charge` takes it from the prepaid
 * balance, for a payment of that rail.
 */
export type NewPaidRead = PaidRead & {
  readonly reserve?: (tx: Transaction, amount_micros: number) => Promise<void>;
  readonly charge?: (tx: Transaction, payment: NewPayment) => Promise<void>;
};

/** A payment that is settled as soon as it is stored with its keys, because its money moves in the books alone, or nowhere. */
export type PreparedPayment = {
  readonly payment: NewPayment;
  readonly keys: readonly string[];
  readonly read: NewPaidRead;
};

/** The right of one process to settle a payment, until a time. */
export type Attempt = { readonly now: Date; readonly until: Date };

/**
 * Stores a payment with its keys, in a transaction of its own: it can pay for no other read from then on.
 *
 * @param attempt Starts an attempt to settle it, in the same transaction.
 * @returns the payment of this request, or of an earlier one for the same read.
 * @throws Refusal `payment_already_used`, and what `reserve` throws.
 */
export async function openPayment(
  services: Services,
  built: NewPayment,
  keys: readonly string[],
  read: NewPaidRead,
  attempt?: Attempt,
): Promise<{ readonly payment: Payment; readonly is_new: boolean }> {
  if (await insertPaymentWithKeys(services, built, keys, read, attempt)) {
    const started = attempt && ({ state: 'settling', attempt_until: attempt.until } as const);
    const attempted_at = attempt?.now ?? built.created_at;
    return { payment: { ...built, reason: null, attempted_at, ...started }, is_new: true };
  }
  const earlier = await findEarlierPayment(services, keys, read, built.rail);
  // Keys are never deleted, so a key that was taken has a payment.
  if (!earlier) throw new Error('a key is taken, but has no payment');
  return { payment: earlier, is_new: false };
}

/**
 * Finds a payment that was presented before.
 *
 * @throws Refusal `payment_already_used` if that was for another read, or on another rail: a settled payment must not be presented again
 *   as a transaction.
 */
export async function findEarlierPayment(
  services: Services,
  keys: readonly string[],
  read: PaidRead,
  rail: Rail,
): Promise<Payment | undefined> {
  const database = serviceDatabase(services);
  const ids = await listPaymentsWithKeys(database, keys);
  if (ids.length === 0) return undefined;
  const payment = ids.length === 1 ? await findPayment(database, ids[0]!) : undefined;
  if (!payment || payment.rail !== rail || !isForRead(payment, read))
    throw new Refusal('payment_already_used');
  return payment;
}

async function insertPaymentWithKeys(
  services: Services,
  payment: NewPayment,
  keys: readonly string[],
  read: NewPaidRead,
  attempt: Attempt | undefined,
): Promise<boolean> {
  try {
    await serviceDatabase(services).transaction((tx) =>
      storePayment(tx, { payment, keys, read }, () =>
        Promise.all([insertPayment(tx, payment), attempt && startAttempt(tx, payment.id, attempt)]),
      ),
    );
    return true;
  } catch (error) {
    if (error instanceof PaymentTakenError) return false;
    throw error;
  }
}

/**
 * Stores a prepared payment with the result of its read, in the transaction of the read: both are stored or neither.
 *
 * @throws PaymentTakenError if it was presented before, and what `reserve` throws.
 */
export function storeRecordedPayment(
  tx: Transaction,
  prepared: PreparedPayment,
  result: JsonValue,
): Promise<void> {
  const recorded = { ...prepared.payment, state: 'recorded', result: JSON.stringify(result) } as const;
  return storePayment(tx, prepared, () => insertPayment(tx, recorded));
}

async function storePayment(
  tx: Transaction,
  { payment, keys, read: { reserve } }: PreparedPayment,
  insert: () => Promise<unknown>,
): Promise<void> {
  const [isFree] = await Promise.all([insertKeys(tx, keys, payment.id, payment.created_at), insert()]);
  if (!isFree) throw new PaymentTakenError();
  // Only now: a payment that was presented before has been counted.
  await reserve?.(tx, payment.amount_micros);
}

/** One of the keys of a payment belongs to an earlier one. It rolls the transaction back. */
export class PaymentTakenError extends Error {}

import type { Micros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { recordResult, refuseRead } from './store.ts';

/** A JSON value, as a stored result has it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * Stores the result of the read that a settled payment was for, in the transaction of the read. A repeated request gets this result.
 *
 * @throws Refusal `payment_unresolved` if another request has recorded or refused the payment meanwhile: the caller's transaction must be
 *   rolled back, and the same request sent again gets the stored result.
 */
export async function recordPayment(tx: Transaction, payment_id: string, result: JsonValue): Promise<void> {
  if (!(await recordResult(tx, payment_id, JSON.stringify(result)))) throw refuseUnresolved(1);
}

/**
 * Stores why the read that a settled payment was for may not happen. The caller owes the money to the payer from then on, and books that in
 * the same transaction.
 *
 * @param reason A fixed word, such as `consent_withdrawn`.
 * @returns the grant of the agent that presented the payment, if one did, and the amount that was counted against its limit.
 * @throws Refusal `payment_unresolved` if another request has recorded or refused the payment meanwhile.
 */
export async function refusePayment(
  tx: Transaction,
  payment_id: string,
  reason: string,
): Promise<{ readonly grant_id: string | null; readonly amount: Micros }> {
  const refused = await refuseRead(tx, payment_id, reason);
  if (!refused) throw refuseUnresolved(1);
  return { grant_id: refused.grant_id, amount: BigInt(refused.amount_micros) };
}

/** The outcome is not known. The client sends the same payment again. */
export function refuseUnresolved(seconds: number): Refusal {
  return new Refusal('payment_unresolved', { headers: { 'retry-after': String(seconds) } });
}

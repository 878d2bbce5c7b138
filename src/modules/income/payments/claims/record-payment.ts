import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { recordClaim } from './store.ts';

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
export async function recordPayment(tx: Transaction, claimId: string, result: JsonValue): Promise<void> {
  if (!(await recordClaim(tx, claimId, JSON.stringify(result))))
    throw new Refusal('payment_unresolved', { headers: { 'retry-after': '1' } });
}

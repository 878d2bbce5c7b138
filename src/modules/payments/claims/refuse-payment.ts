import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { refuseClaim } from './store.ts';

/**
 * Stores why the read that a settled payment was for may not happen. The caller owes the money to the payer from then on, and books that in
 * the same transaction.
 *
 * @param reason A fixed word, such as `consent_withdrawn`.
 * @throws Refusal `payment_unresolved` if another request has recorded or refused the payment meanwhile.
 */
export async function refusePayment(tx: Transaction, claimId: string, reason: string): Promise<void> {
  if (!(await refuseClaim(tx, claimId, reason)))
    throw new Refusal('payment_unresolved', { headers: { 'retry-after': '1' } });
}

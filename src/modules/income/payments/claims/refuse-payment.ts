import type { Micros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { refuseClaim } from './store.ts';

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
  claimId: string,
  reason: string,
): Promise<{ readonly grantId: string | null; readonly amount: Micros }> {
  const refused = await refuseClaim(tx, claimId, reason);
  if (!refused) throw new Refusal('payment_unresolved', { headers: { 'retry-after': '1' } });
  return { grantId: refused.grant_id, amount: BigInt(refused.amount_micro) };
}

import type { Micros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { addSpend, subtractSpend } from './store.ts';

/**
 * Counts an amount against the cap of a grant. Exact under races: the row of the grant is locked until the transaction ends.
 *
 * @throws Refusal `grant_spend_cap_reached` if it would exceed the cap, or if the grant has no cap or has ended.
 */
export async function reserveSpend(
  { now }: Pick<Services, 'now'>,
  tx: Transaction,
  grant_id: string,
  amount: Micros,
): Promise<void> {
  if (amount < 0n) throw new RangeError('An amount to spend is not negative');
  if ((await addSpend(tx, grant_id, amount, now())) === 0) throw new Refusal('grant_spend_cap_reached');
}

/** Gives an amount back to a grant, after the payment that it was reserved for has failed. */
export async function returnSpend(tx: Transaction, grant_id: string, amount: Micros): Promise<void> {
  await subtractSpend(tx, grant_id, amount);
}

import { formatMicros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { postJournal } from '../journals/post-journal.ts';
import { buildChargeJournal, doesCrossWarning, type Charge } from './rules.ts';
import { lockBalance } from './store.ts';

/**
 * Takes the price of a read from the balance of its organisation, in the transaction that stores the payment. Charges of one organisation wait for each other
 * until that transaction ends. The administrators get an email if the balance falls below the amount of their warning.
 *
 * @throws Refusal `payment_balance_too_low`.
 */
export async function chargeBalance(
  services: Pick<Services, 'queue' | 'now' | 'secrets'>,
  tx: Transaction,
  charge: Charge,
): Promise<void> {
  const { org_id, amount } = charge;
  const balance = await lockBalance(tx, org_id);
  if (!balance || balance.balance < amount) throw new Refusal('payment_balance_too_low');
  await postJournal(tx, buildChargeJournal(charge));
  if (!doesCrossWarning(balance, amount)) return;
  const left = `It now has ${formatMicros(balance.balance - amount)} USD.`;
  await queueAdministratorNotices(services, tx, org_id, 'balance_low', left);
}

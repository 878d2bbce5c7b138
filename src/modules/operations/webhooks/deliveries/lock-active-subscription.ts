import { Refusal, requireFound } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Subscription } from '../resource.ts';
import { endRest, lockSubscription, type SubscriptionKey } from '../store-subscriptions.ts';

/**
 * Locks a subscription that can receive something, and ends the rest of its endpoint: an administrator who asks for a request has perhaps just repaired it.
 *
 * @throws Refusal `webhook_not_found`, `webhook_inactive`.
 */
export async function lockActiveSubscription(tx: Transaction, key: SubscriptionKey): Promise<Subscription> {
  const subscription = requireFound(await lockSubscription(tx, key), 'webhook_not_found');
  if (!subscription.is_active) throw new Refusal('webhook_inactive');
  endRest(tx, key);
  return subscription;
}

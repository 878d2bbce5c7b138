import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { subscriptionResource } from '../resource.ts';
import { findSubscription } from '../store-subscriptions.ts';

export const readSubscription = operation({
  name: 'webhooks.readSubscription',
  title: 'Read a webhook subscription',
  summary: 'Reads a webhook subscription of the caller’s organisation, without its secret.',
  who: orgRoles,
  input: Type.Object({ subscription_id: uuid }),
  output: { 200: subscriptionResource.wire },
  etag: true,
  refuses: ['webhook_not_found'],
  run: async ({ database, caller }, { subscription_id }) => {
    const subscription = await findSubscription(database, { org_id: caller.org_id, id: subscription_id });
    if (!subscription) throw new Refusal('webhook_not_found');
    return subscriptionResource.toWire(subscription);
  },
});

import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { subscriptionResource } from '../resource.ts';
import { applyPatch } from '../rules.ts';
import { deliverEvents } from '../sending/deliver-events.ts';
import { recallDeliveries } from '../sending/requests.ts';
import { checkUrl } from './check-url.ts';
import { lockSubscription, updateSubscription as storeSubscription } from '../store-subscriptions.ts';

export const updateSubscription = operation({
  name: 'webhooks.updateSubscription',
  title: 'Change a webhook subscription',
  summary:
    'Changes, pauses or enables a webhook subscription. Enabling sets failure_count to 0. What happened during a pause is in the list of deliveries as failed; POST /webhooks/{subscription_id}/recover sends it.',
  who: ['org_admin'],
  input: Type.Object({ subscription_id: uuid, ...subscriptionResource.changeInput }),
  output: { 200: subscriptionResource.wire },
  etag: true,
  refuses: ['webhook_not_found'],
  checks: [({ url }, { config }) => (url === undefined ? undefined : checkUrl(config, url))],
  run: (context, { subscription_id: id, ...patch }) => {
    return context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const before = requireFound(await lockSubscription(tx, { org_id, id }), 'webhook_not_found');
      await checkIfMatch(context.request, () => subscriptionResource.toWire(before));
      const after = await storeSubscription(tx, applyPatch(before, patch));
      tx.afterCommit(() => recallDeliveries(context, id));
      // The run ends the deliveries of a paused subscription.
      if (before.is_active && !after.is_active)
        await context.queue.send(tx, deliverEvents, { org_id, subscription_id: id });
      const fields = Object.keys(patch).filter((name) => patch[name as keyof typeof patch] !== undefined);
      const detail = { subscription_id: id, fields: fields.join(', ') };
      await recordCallerAudit(context, tx, { action: 'webhooks.changed', org_id, detail });
      return subscriptionResource.toWire(after);
    });
  },
});

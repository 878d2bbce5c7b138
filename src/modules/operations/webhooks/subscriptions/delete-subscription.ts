import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { deleteHistory } from '../deliveries/store.ts';
import { removeHistory } from '../sending/remove-history.ts';
import { recallDeliveries } from '../sending/requests.ts';
import { deleteSubscription as deleteStoredSubscription, lockSubscription } from './store.ts';

/** More rows are deleted by a task, so that the request is short. */
const deleted_max = 5_000;

export const deleteSubscription = operation({
  name: 'webhooks.deleteSubscription',
  title: 'Delete a webhook subscription',
  summary: 'Deletes a webhook subscription and its history of deliveries. Nothing more is sent.',
  who: ['org_admin'],
  input: Type.Object({ subscription_id: uuid }),
  output: { 204: null },
  refuses: ['webhook_not_found'],
  run: (context, { subscription_id: id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      if (!(await lockSubscription(tx, { org_id, id }))) throw new Refusal('webhook_not_found');
      await deleteStoredSubscription(tx, { org_id, id });
      tx.afterCommit(() => recallDeliveries(context, id));
      const deleted = await deleteHistory(tx, { org_id, subscription_id: id }, deleted_max);
      if (deleted === deleted_max)
        await context.queue.send(tx, removeHistory, { org_id, subscription_id: id });
      const detail = { subscription_id: id };
      await recordCallerAudit(context, tx, { action: 'webhooks.deleted', org_id, detail });
      return null;
    }),
});

import { listOperation } from '#platform/list-operation.ts';
import { subscriptionResource } from '../resource.ts';
import { countSubscriptions, listSubscriptions as listStoredSubscriptions } from '../store-subscriptions.ts';

export const listSubscriptions = listOperation({
  name: 'webhooks.listSubscriptions',
  title: 'List webhook subscriptions',
  summary: 'Lists the webhook subscriptions of the caller’s organisation, newest first.',
  who: ['org_admin', 'org_viewer'],
  getOwner: ({ org_id }) => org_id,
  list: listStoredSubscriptions,
  count: countSubscriptions,
  getPlace: ({ created_at, id }) => [created_at.toISOString(), id],
  item: subscriptionResource.wire,
  toItem: subscriptionResource.toWire,
});

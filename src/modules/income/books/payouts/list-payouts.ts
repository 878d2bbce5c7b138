import { listOperation } from '#platform/list-operation.ts';
import { payoutWire, toPayoutWire } from './wire.ts';
import { countPayouts, listPayouts as listStoredPayouts } from './store.ts';

export const listPayouts = listOperation({
  name: 'books.listPayouts',
  summary: 'Lists the payouts of the caller’s income, newest first.',
  who: ['member'],
  getOwner: ({ member_id }) => member_id,
  list: listStoredPayouts,
  count: countPayouts,
  getPlace: ({ requested_at, id }) => [requested_at.toISOString(), id],
  item: payoutWire,
  toItem: toPayoutWire,
});

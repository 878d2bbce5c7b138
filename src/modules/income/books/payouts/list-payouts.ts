import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { payoutWire, toPayoutWire } from './wire.ts';
import { countPayouts, listPayouts as listStoredPayouts, type PayoutPlace } from './store.ts';

export const listPayouts = operation({
  name: 'books.listPayouts',
  summary: 'Lists the payouts of the caller’s income, newest first.',
  who: ['member'],
  input: Type.Object({ ...pageQuery }),
  output: { 200: buildPageSchema(payoutWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor }) => {
    const { database, caller } = context;
    const { member_id } = caller;
    return readPage(
      context,
      { name: 'books.listPayouts', filter: { member_id }, limit, cursor },
      {
        list: (after: PayoutPlace | undefined, rows_max) =>
          listStoredPayouts(database, member_id, after, rows_max),
        count: () => countPayouts(database, member_id),
        getPlace: ({ requested_at, id }): PayoutPlace => [requested_at.toISOString(), id],
        toItem: toPayoutWire,
      },
    );
  },
});

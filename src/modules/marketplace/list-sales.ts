import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { listTransactions, sumTransactions, type TransactionPlace } from './store.ts';
import { earningsTotalsFields, toEarningsTotals, toTransactionWire, transactionWire } from './wire.ts';

export const listSales = operation({
  name: 'marketplace.listSales',
  title: 'List your sales',
  summary: 'Returns what the caller has earned on the marketplace, and the transactions, newest first.',
  who: ['member'],
  input: Type.Object(pageQuery),
  output: {
    200: closedObject({ ...earningsTotalsFields, ...buildPageSchema(transactionWire).properties }),
  },
  refuses: ['cursor_invalid'],
  run: async (context, { limit, cursor }) => {
    const { database, caller } = context;
    const party = { member_id: caller.member_id };
    const totals = await sumTransactions(database, party);
    const page = await readPage(
      context,
      { name: 'marketplace.listSales', filter: party, limit, cursor },
      {
        list: (after: TransactionPlace | undefined, rows_max) =>
          listTransactions(database, party, after, rows_max),
        count: () => Promise.resolve(totals.count),
        getPlace: ({ created_at, id }): TransactionPlace => [created_at.toISOString(), id],
        toItem: (each) => toTransactionWire(each, 'member'),
      },
    );
    return { ...toEarningsTotals(totals), ...page };
  },
});

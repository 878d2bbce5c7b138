import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { listTransactions, sumTransactions, type TransactionPlace } from './store.ts';
import { spendTotalsFields, toSpendTotals, toTransactionWire, transactionWire } from './wire.ts';

export const listPurchases = operation({
  name: 'marketplace.listPurchases',
  title: 'List your purchases',
  summary:
    'Returns what the caller’s organisation has spent on the marketplace, and the transactions, newest first.',
  who: orgRoles,
  input: Type.Object(pageQuery),
  output: { 200: closedObject({ ...spendTotalsFields, ...buildPageSchema(transactionWire).properties }) },
  refuses: ['cursor_invalid'],
  run: async (context, { limit, cursor }) => {
    const { database, caller } = context;
    const party = { org_id: caller.org_id };
    const totals = await sumTransactions(database, party);
    const page = await readPage(
      context,
      { name: 'marketplace.listPurchases', filter: party, limit, cursor },
      {
        list: (after: TransactionPlace | undefined, rows_max) =>
          listTransactions(database, party, after, rows_max),
        count: () => Promise.resolve(totals.count),
        getPlace: ({ created_at, id }): TransactionPlace => [created_at.toISOString(), id],
        toItem: (each) => toTransactionWire(each, 'organisation'),
      },
    );
    return { ...toSpendTotals(totals), ...page };
  },
});

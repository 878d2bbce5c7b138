import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { readTransactions } from './read-transactions.ts';
import { spendTotalsFields, toSpendTotals, transactionWire } from './wire.ts';

export const listPurchases = operation({
  name: 'marketplace.listPurchases',
  title: 'List your purchases',
  summary:
    'Returns what the caller’s organisation has spent on the marketplace, and the transactions, newest first.',
  who: orgRoles,
  input: Type.Object(pageQuery),
  output: { 200: closedObject({ ...spendTotalsFields, ...buildPageSchema(transactionWire).properties }) },
  refuses: ['cursor_invalid'],
  run: async (context, query) => {
    const party = { org_id: context.caller.org_id };
    const request = { name: 'marketplace.listPurchases', ...query };
    const { totals, page } = await readTransactions(context, 'organisation', party, request);
    return { ...toSpendTotals(totals), ...page };
  },
});

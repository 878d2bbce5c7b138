import { Type } from 'typebox';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { readTransactions } from './read-transactions.ts';
import { earningsTotalsFields, toEarningsTotals, transactionWire } from './wire.ts';

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
  run: async (context, query) => {
    const party = { member_id: context.caller.member_id };
    const request = { name: 'marketplace.listSales', ...query };
    const { totals, page } = await readTransactions(context, 'member', party, request);
    return { ...toEarningsTotals(totals), ...page };
  },
});

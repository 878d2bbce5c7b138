import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { marketplaceQuery, pageFields, readListed } from './read-listed.ts';
import { earningsTotalsFields, toEarningsTotals } from './wire.ts';

export const listMemberMarketplaceReads = operation({
  name: 'reads.listMemberMarketplaceReads',
  title: 'List your sales',
  summary:
    'Returns what the caller has earned on the marketplace, and the transactions, newest first, with those that the caller has recorded and that are not paid.',
  who: ['member'],
  input: Type.Object(marketplaceQuery),
  output: { 200: closedObject({ ...earningsTotalsFields, ...pageFields }) },
  refuses: ['cursor_invalid'],
  run: async (context, query) => {
    const request = { name: 'reads.listMemberMarketplaceReads', ...query };
    const { totals, page } = await readListed(context, context.caller, request);
    return { ...toEarningsTotals(totals), ...page };
  },
});

import { Type } from 'typebox';
import { pageQuery } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { pageFields, readListed } from './read-listed.ts';
import { earningsTotalsFields, toEarningsTotals } from './wire.ts';

export const listMemberMarketplaceReads = operation({
  name: 'reads.listMemberMarketplaceReads',
  title: 'List your sales',
  summary: 'Returns what the caller has earned on the marketplace, and the transactions, newest first.',
  who: ['member'],
  input: Type.Object(pageQuery),
  output: { 200: closedObject({ ...earningsTotalsFields, ...pageFields }) },
  refuses: ['cursor_invalid'],
  run: async (context, query) => {
    const request = { name: 'reads.listMemberMarketplaceReads', ...query };
    const { totals, page } = await readListed(context, context.caller, request);
    return { ...toEarningsTotals(totals), ...page };
  },
});

import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { marketplaceQuery, pageFields, readListed } from './read-listed.ts';
import { spendTotalsFields, toSpendTotals } from './wire.ts';

export const listOrganisationMarketplaceReads = operation({
  name: 'reads.listOrganisationMarketplaceReads',
  title: 'List your purchases',
  summary:
    'Returns what the caller’s organisation has spent on the marketplace, and the transactions, newest first, with those that members have recorded. `status=pending` lists those that wait to be paid or declined.',
  who: orgRoles,
  input: Type.Object(marketplaceQuery),
  output: { 200: closedObject({ ...spendTotalsFields, ...pageFields }) },
  refuses: ['cursor_invalid'],
  run: async (context, query) => {
    const request = { name: 'reads.listOrganisationMarketplaceReads', ...query };
    const { totals, page } = await readListed(context, context.caller, request);
    return { ...toSpendTotals(totals), ...page };
  },
});

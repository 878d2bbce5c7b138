import type { LoggedInCaller, orgRoles } from '#lib/caller.ts';
import { listMarketplaceReads, sumMarketplaceReads, type ReadPlace, type Side } from '#modules/income/books';
import type { Reader } from '#platform/database/database.ts';
import { buildPageSchema, readPage, type PageRequest } from '#platform/database/paging.ts';
import type { Services } from '#platform/platform.ts';
import { marketplaceReadWire, toMarketplaceReadWire } from './wire.ts';

/** The fields of a page of reads on the marketplace. */
export const pageFields = buildPageSchema(marketplaceReadWire).properties;

type Party = Extract<LoggedInCaller, { readonly role: 'member' | (typeof orgRoles)[number] }>;

/** The side of a read that a caller is on. */
export function getSide(caller: Party): Side {
  return caller.role === 'member' ? { member_id: caller.member_id } : { org_id: caller.org_id };
}

/** Reads the totals of one side, and a page of its reads on the marketplace as this side sees them, newest first. */
export async function readListed(
  context: Pick<Services, 'secrets'> & { readonly database: Reader },
  caller: Party,
  request: Omit<PageRequest, 'filter'>,
) {
  const { database } = context;
  const side = getSide(caller);
  const totals = await sumMarketplaceReads(database, side);
  const page = await readPage(
    context,
    { ...request, filter: side },
    {
      list: (after: ReadPlace | undefined, rows_max) => listMarketplaceReads(database, side, after, rows_max),
      count: () => Promise.resolve(totals.count),
      getPlace: ({ created_at, id }): ReadPlace => [created_at.toISOString(), id],
      toItem: (read) => toMarketplaceReadWire(read, side),
    },
  );
  return { totals, page };
}

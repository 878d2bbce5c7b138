import { Type } from 'typebox';
import type { LoggedInCaller, orgRoles } from '#lib/caller.ts';
import {
  listMarketplaceReads,
  sumMarketplaceReads,
  type MarketplaceRead,
  type ReadPlace,
  type Side,
} from '#modules/income/books';
import type { Reader } from '#platform/database/database.ts';
import { buildPageSchema, pageQuery, readPage, type PageRequest } from '#platform/database/paging.ts';
import type { Services } from '#platform/platform.ts';
import { field } from '#platform/schema.ts';
import type { Proposal } from '../rules.ts';
import { countProposals, listProposals } from '../store-proposals.ts';
import { marketplaceReadWire, toMarketplaceReadWire, toProposalWire } from './wire.ts';

/** The fields of a page of transactions of the marketplace. */
export const pageFields = buildPageSchema(marketplaceReadWire).properties;

/** The query of a list of transactions. */
export const marketplaceQuery = {
  status: Type.Optional(
    field(Type.Enum(['pending']), 'Only transactions that wait to be paid or declined.', 'pending'),
  ),
  ...pageQuery,
};

type Party = Extract<LoggedInCaller, { readonly role: 'member' | (typeof orgRoles)[number] }>;

/** The side of a transaction that a caller is on. */
export function getSide(caller: Party): Side {
  return caller.role === 'member' ? { member_id: caller.member_id } : { org_id: caller.org_id };
}

type ListedRequest = Omit<PageRequest, 'filter'> & { readonly status?: 'pending' | undefined };

/** Reads the totals of one side, and a page of its transactions on the marketplace as this side sees them, newest first. */
export async function readListed(
  context: Pick<Services, 'secrets' | 'now'> & { readonly database: Reader },
  caller: Party,
  { status, ...request }: ListedRequest,
) {
  const { database, now: readClock } = context;
  const [side, pending_only, now] = [getSide(caller), status === 'pending', readClock()];
  const proposals = { side, pending_only, now };
  const totals = await sumMarketplaceReads(database, side);
  const page = await readPage(
    context,
    { ...request, filter: { ...side, status } },
    {
      list: async (
        after: ReadPlace | undefined,
        rows_max,
      ): Promise<readonly (MarketplaceRead | Proposal)[]> => {
        const [reads, proposed] = await Promise.all([
          pending_only ? [] : listMarketplaceReads(database, side, after, rows_max),
          listProposals(database, proposals, after, rows_max),
        ]);
        return [...reads, ...proposed].toSorted(compareNewest).slice(0, rows_max);
      },
      count: async () => (pending_only ? 0 : totals.count) + (await countProposals(database, proposals)),
      getPlace: ({ created_at, id }): ReadPlace => [created_at.toISOString(), id],
      toItem: (row) => ('expires_at' in row ? toProposalWire(row, side) : toMarketplaceReadWire(row, side)),
    },
  );
  return { totals, page };
}

type Placed = { readonly created_at: Date; readonly id: string };

/** Orders as the two statements do. */
function compareNewest(one: Placed, other: Placed): number {
  const later = other.created_at.getTime() - one.created_at.getTime();
  if (later !== 0) return later;
  return one.id < other.id ? 1 : -1;
}

import { Type, type Static } from 'typebox';
import type { Page } from '#lib/cursor.ts';
import { readPage } from '#platform/database/paging.ts';
import type { LoggedInCaller } from '#lib/caller.ts';
import type { Job } from '#modules/matching/jobs';
import type { Context } from '#platform/operation.ts';
import { type MatchQuality, matchQualities } from '#modules/matching/engine';
import { matchStatuses } from '../rules.ts';
import { findNewLabels } from './find-new-labels.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { buildMatchViews } from '../views.ts';
import { toWire, type matchWire } from '../wire.ts';
import { addCounts, countByStatus, listMatches, type MatchFilter, type MatchPlace } from './store.ts';
import { field } from '#platform/schema.ts';

/**
 * Reads a page of Match resources as the caller sees them, best tier first. Within a tier the order is random but stable.
 *
 * @param name The name of the list; a cursor works only for the list that issued it.
 * @param job The job whose matches are listed, if it is read already.
 * @throws Refusal `email_not_verified` if the caller's organisation has no administrator with a verified address; `cursor_invalid`.
 */
export async function readMatchPage(
  context: Pick<Context, 'database' | 'memory' | 'secrets'> & { readonly caller: LoggedInCaller },
  name: string,
  filter: MatchFilter,
  {
    limit,
    cursor,
    job,
  }: { readonly limit: number; readonly cursor?: string | undefined; readonly job?: Job | undefined },
): Promise<Page<Static<typeof matchWire>>> {
  const { database } = context;
  const labels = filter.member_id ? await findNewLabels(context, database, filter.member_id) : [];
  // Each status of an organisation costs a look into the index, and most have no matches.
  const counting = filter.org_id ? countByStatus(database, filter) : undefined;
  const wanted = filter.status ? [filter.status] : matchStatuses;
  const [page] = await Promise.all([
    readPage(
      context,
      { name, filter, limit, cursor },
      {
        list: async (after: MatchPlace | undefined, rows_max) => {
          const statuses = counting ? (await counting).map(({ match_status }) => match_status) : wanted;
          const matches = await listMatches(database, filter, { statuses, after, limit: rows_max, labels });
          return buildMatchViews(context, database, matches, job);
        },
        count: async () => addCounts(await (counting ?? countByStatus(database, filter))),
        getPlace: ({ match_quality, id }): MatchPlace => [match_quality, id],
        toItem: toWire,
      },
    ),
    checkVerifiedAdmin(context),
  ]);
  return page;
}

/** The query of a list that an organisation reads: all tiers, unless it leaves out pending matches of the tier `developing`. */
export const organisationQuery = {
  quality: Type.Optional(Type.Enum(matchQualities)),
  status: Type.Optional(field(Type.Enum(matchStatuses), 'Only matches in this status.', 'org_interested')),
  include_developing: Type.Optional(
    field(
      Type.Boolean({ default: true }),
      'Whether to list pending matches of the tier developing. They are always listed with quality=developing.',
      false,
    ),
  ),
};

type OrganisationQuery = {
  readonly quality?: MatchQuality | undefined;
  readonly include_developing?: boolean | undefined;
};

/** Converts the query of an organisation's list to a filter. */
export function toMatchFilter<Query extends OrganisationQuery>({
  include_developing = true,
  ...filter
}: Query) {
  return { ...filter, without_developing: !include_developing && filter.quality !== 'developing' };
}

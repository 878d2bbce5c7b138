import type { Static } from 'typebox';
import type { Page } from '#lib/cursor.ts';
import { readPage } from '#platform/database/paging.ts';
import type { Context } from '#platform/operation.ts';
import { matchStatuses } from '../lifecycle/rules.ts';
import { toWire, type matchWire } from '../wire.ts';
import { countMatches, listMatches, type MatchFilter, type MatchPlace } from './store.ts';

/**
 * Reads a page of Match resources, best tier first. Within a tier the order is random but stable.
 *
 * @param name The name of the list; a cursor works only for the list that issued it.
 */
export function readMatchPage(
  context: Pick<Context, 'database' | 'secrets'>,
  name: string,
  filter: MatchFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Static<typeof matchWire>>> {
  const { database } = context;
  const statuses = filter.status ? [filter.status] : matchStatuses;
  return readPage(
    context,
    { name, filter, limit, cursor },
    {
      list: (after: MatchPlace | undefined, rows_max) =>
        listMatches(database, filter, { statuses, after, limit: rows_max }),
      count: () => countMatches(database, filter),
      getPlace: ({ match_quality, id }): MatchPlace => [match_quality, id],
      toItem: toWire,
    },
  );
}

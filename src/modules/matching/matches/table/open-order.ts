import type { Reader } from '#platform/database/database.ts';
import { listExplained, type ExplainedRows } from '../explanations/list-explained.ts';
import { findTurn, sorted_max, type tableSorts } from './rules.ts';
import { selectFollowing, sortPeople, type SortedPlace } from './sort-people.ts';
import {
  countTableMatches,
  listTableKeys,
  listTableMatches,
  listTableMatchesById,
  type TableFilter,
  type TableMatch,
} from './store.ts';

type Sort = (typeof tableSorts)[number];

/** The rows of a table in an order, to be read in pages. */
export type TableOrder = {
  readonly sort: Sort;
  readonly list: (
    after: SortedPlace | undefined,
    rows_max: number,
  ) => Promise<readonly { readonly match: TableMatch; readonly place: SortedPlace }[]>;
  readonly count: () => Promise<number>;
  /** Whose explanation the order needs, and is still to be written; undefined if it needs none. */
  readonly missing?: ExplainedRows['missing'];
};

/** Opens a table in an order: that of the lists, which the database has, or one by words of the rows, for which all of them are compared. */
export function openOrder(db: Reader, filter: TableFilter, sort: Sort): Promise<TableOrder> | TableOrder {
  return sort === 'fit' ? openListOrder(db, filter) : openWordOrder(db, filter, sort);
}

function openListOrder(db: Reader, filter: TableFilter): TableOrder {
  return {
    sort: 'fit',
    list: async (after, limit) => {
      const from = after && ([after[1], after[2]] as const);
      const matches = await listTableMatches(db, filter, { after: from, limit });
      return matches.map((match) => ({ match, place: ['', match.match_quality, match.id] }));
    },
    count: () => countTableMatches(db, filter),
  };
}

async function openWordOrder(db: Reader, filter: TableFilter, sort: Sort): Promise<TableOrder> {
  const people = await listTableKeys(db, filter, sorted_max);
  const ids = people.map(({ id }) => id);
  const explained = sort === 'asked' ? await listExplained(db, filter.job_id, ids) : undefined;
  const sorted = sortPeople(
    people.map(({ match_status, ...person }) => ({
      ...person,
      waits_for: findTurn(match_status),
      priorities: explained?.rows.get(person.id)?.priorities ?? null,
    })),
    sort,
  );
  return {
    sort,
    list: async (after, rows_max) => {
      const places = selectFollowing(sorted, after).slice(0, rows_max);
      const listed = await listTableMatchesById(
        db,
        filter,
        places.map(([, , id]) => id),
      );
      const matches = new Map(listed.map((match) => [match.id, match]));
      return places.flatMap((place) => {
        const match = matches.get(place[2]);
        return match ? [{ match, place }] : [];
      });
    },
    count: () => Promise.resolve(sorted.length),
    ...(explained && { missing: explained.missing }),
  };
}

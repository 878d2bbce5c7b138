import { Type, type TSchema } from 'typebox';
import {
  buildFilterScope,
  buildPage,
  cursor_characters_max,
  decodeCursor,
  encodeCursor,
  type Page,
  type Position,
} from '#lib/cursor.ts';
import type { Services } from '#platform/platform.ts';
import { closedObject } from '#platform/schema.ts';

/** The input fields of a list that is read in pages, to be spread into its `input`. A page has 1 to 100 rows, 20 by default. */
export const pageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'The largest number of rows on a page.',
    examples: [20],
  }),
  cursor: Type.Optional(
    Type.String({
      maxLength: cursor_characters_max,
      description:
        'The next_cursor of the previous page, or empty for the first one. It works only with the same filters.',
      examples: ['eyJ2IjoxLCJrIjoiMjAyNiJ9'],
    }),
  ),
};

const buildPagination = ($id: string, total_count_description: string) =>
  closedObject(
    {
      next_cursor: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      has_more: Type.Boolean(),
      total_count: Type.Integer({ minimum: 0, description: total_count_description, examples: [42] }),
    },
    { $id },
  );

/** The schema of `pagination`, for a list whose reply has further fields. */
export const paginationWire = buildPagination(
  'Pagination',
  'The number of all rows that the filters select.',
);

/** How far the rows of a list are counted that can have a million. */
export const counted_max = 10_000;

const limitedPagination = buildPagination(
  'LimitedPagination',
  'The number of rows that the filters select, counted up to 10,000: this number means that many or more.',
);

/** Builds the closed output schema of such a list: the specification's envelope `{data, pagination}` around `item`. */
export function buildPageSchema<Item extends TSchema>(item: Item) {
  return closedObject({ data: Type.Array(item), pagination: paginationWire }, namePage(item));
}

/** Builds the same schema for a list whose rows are counted up to {@link counted_max}, because counting all of them would take long. */
export function buildLongPageSchema<Item extends TSchema>(item: Item) {
  return closedObject({ data: Type.Array(item), pagination: limitedPagination }, namePage(item));
}

/** A list of named items has a name too, so that a generated client has one type for all lists of them. */
function namePage(item: TSchema): { readonly $id?: string } {
  const { $id } = item as { readonly $id?: string };
  return $id === undefined ? {} : { $id: `${$id}Page` };
}

/** The requested page: the name of the list, the filters for which its cursors are valid (the reader included), the limit and the cursor. */
export type PageRequest = {
  readonly name: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** The functions that read the rows of a list. */
export type PageSource<Row, Item, Place extends Position> = {
  /** Returns at most `rows_max` rows that follow `after`, in the order of the list. */
  readonly list: (after: Place | undefined, rows_max: number) => Promise<readonly Row[]>;
  /** Counts all rows that the filters select. It is asked only if the page has not listed them all. */
  readonly count: () => Promise<number>;
  /** Returns the values of the list's sort columns in a row. The last one is unique. */
  readonly getPlace: (row: Row) => Place;
  readonly toItem: (row: Row) => Item;
};

/**
 * Reads one page of a list.
 *
 * @throws Refusal `cursor_invalid` for a cursor of another list, another filter or another service.
 */
export async function readPage<Row, Item, Place extends Position>(
  { secrets }: Pick<Services, 'secrets'>,
  { name, filter, limit, cursor }: PageRequest,
  { list, count, getPlace, toItem }: PageSource<Row, Item, Place>,
): Promise<Page<Item>> {
  const key = secrets.deriveKey('cursor');
  const scope = buildFilterScope(name, filter);
  // A valid cursor of this scope was encoded from a place of this list.
  const after =
    cursor === undefined || cursor === ''
      ? undefined
      : (decodeCursor(key, scope, cursor) as unknown as Place);
  const rows = await list(after, limit + 1);
  const hasAll = after === undefined && rows.length <= limit;
  const total_count = hasAll ? rows.length : await count();
  const encodeRowCursor = (row: Row) => encodeCursor(key, scope, getPlace(row));
  const { data, pagination } = buildPage({ rows, limit, total_count, next: encodeRowCursor });
  return { data: data.map(toItem), pagination };
}

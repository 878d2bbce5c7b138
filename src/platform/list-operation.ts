import { Type, type Static, type TSchema } from 'typebox';
import type { Role } from '#lib/caller.ts';
import type { Position } from '#lib/cursor.ts';
import type { Reader } from '#platform/database/database.ts';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation, type AllowedCallers, type CallerWithRole, type Context } from '#platform/operation.ts';

/** A list of what belongs to one owner, such as the caller's organisation. */
export type ListDefinition<
  R extends Role,
  Item extends TSchema,
  Row,
  Place extends Position | readonly [],
> = {
  readonly name: string;
  readonly title?: string;
  readonly summary: string;
  readonly who: AllowedCallers<R>;
  /** The id of the owner whose rows are listed. A cursor is valid for this owner only. */
  readonly getOwner: (caller: CallerWithRole<R>) => string;
  /** Returns at most `rows_max` rows that follow `after`, in the order of the list. */
  readonly list: (
    db: Reader,
    owner: string,
    after: Place | undefined,
    rows_max: number,
  ) => Promise<readonly Row[]>;
  readonly count: (db: Reader, owner: string) => Promise<number>;
  /** Returns the values of the list's sort columns in a row. The last one is unique. */
  readonly getPlace: (row: Row) => Place;
  /** The schema of a row in the reply. */
  readonly item: Item;
  readonly toItem: (row: Row, context: Context<R>) => Static<Item>;
};

/** Defines an operation that reads the rows of one owner in pages. A list with filters of its own calls `readPage` itself. */
export function listOperation<
  Item extends TSchema,
  Row,
  Place extends Position | readonly [],
  R extends Role = never,
>(definition: ListDefinition<R, Item, Row, Place>) {
  const { getOwner, list, count, getPlace, item, toItem, ...description } = definition;
  return operation({
    ...description,
    input: Type.Object(pageQuery),
    output: { 200: buildPageSchema(item) },
    refuses: ['cursor_invalid'],
    run: (context: Context<R>, { limit, cursor }) => {
      const { database, caller } = context;
      const owner = getOwner(caller);
      const page = readPage(
        context,
        { name: description.name, filter: { owner }, limit, cursor },
        {
          list: (after: Place | undefined, rows_max) => list(database, owner, after, rows_max),
          count: () => count(database, owner),
          getPlace,
          toItem: (row) => toItem(row, context),
        },
      );
      // It is a page of items, which TypeScript does not see while `Item` is open.
      return page as Promise<never>;
    },
  });
}

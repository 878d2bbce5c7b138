import { Type, type TSchema } from 'typebox';
import { cursor_characters_max } from '#lib/cursor.ts';

/** The input fields of a list that is read in pages: spread them into its `input`. Rows a page: 1 to 100, 20 unless asked. */
export const pageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'How many rows a page has at most.',
  }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: cursor_characters_max,
      description: 'The next_cursor of the page before; it works with the same filters only.',
    }),
  ),
};

const pagination = Type.Object(
  {
    next_cursor: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    has_more: Type.Boolean(),
    total_count: Type.Integer({ minimum: 0, description: 'How many rows the filters select in all.' }),
  },
  { additionalProperties: false },
);

/** The strict output schema of such a list: the specification's envelope `{data, pagination}` around `item`. */
export function buildPageSchema<Item extends TSchema>(item: Item) {
  return Type.Object({ data: Type.Array(item), pagination }, { additionalProperties: false });
}

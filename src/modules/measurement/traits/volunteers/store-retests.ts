import { sql, type Reader } from '#platform/database/database.ts';
import type { Answer } from '../items/item.ts';

const pairs_max = 5_000;

type Row = {
  readonly first_ids: readonly string[];
  readonly first_options: readonly number[];
  readonly second_ids: readonly string[];
  readonly second_options: readonly number[];
};

/** Lists the newest people who took two complete tests with these versions of statements, both without signals of careless answers. */
export async function listRetestPairs(
  db: Reader,
  item_bank_versions: readonly string[],
): Promise<readonly { readonly first: readonly Answer[]; readonly second: readonly Answer[] }[]> {
  const rows = await db.list(sql<Row>`
    select first.item_ids as first_ids, first.options as first_options,
      second.item_ids as second_ids, second.options as second_options
    from volunteers as second join volunteers as first on first.id = second.first_id
    where second.item_bank_version = any(${item_bank_versions}::text[]) and second.completed_at is not null and second.quality_flags = '{}'
      and first.item_bank_version = any(${item_bank_versions}::text[]) and first.completed_at is not null and first.quality_flags = '{}'
    order by second.completed_at desc limit ${pairs_max}`);
  return rows.map((row) => ({
    first: toAnswers(row.first_ids, row.first_options),
    second: toAnswers(row.second_ids, row.second_options),
  }));
}

function toAnswers(item_ids: readonly string[], options: readonly number[]): readonly Answer[] {
  return item_ids.map((item_id, place) => ({ item_id, option: options[place]! }));
}

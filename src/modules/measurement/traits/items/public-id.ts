import { createHash } from 'node:crypto';
import { computeOnce } from '#lib/cache-results.ts';
import { itemBank } from './item-bank.ts';
import type { Item } from './item.ts';

const public_id_characters = 12;

/** Computes the id by which members know an item. It is a digest, because the id that is stored names the trait. */
export function computePublicId(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, public_id_characters);
}

const indexItems = computeOnce(
  (): ReadonlyMap<string, Item> =>
    new Map([...itemBank.itemsById.values()].map((item) => [computePublicId(item.id), item])),
);

/** Finds the item that members know by this id. */
export function findItem(public_id: string): Item | undefined {
  return indexItems().get(public_id);
}

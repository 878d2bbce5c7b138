/** One of several parts of an index in memory, counted from 1. */
export type IndexShard = { readonly shard: number; readonly shards: number };

/** Formats a part as the configuration does, such as 2/4. */
export function formatIndexShard({ shard, shards }: IndexShard): string {
  return `${shard}/${shards}`;
}

/** Odd, so that different ids keep different products, and below 2^31, so that a database computes the product in 64 bits. */
export const shard_multiplier = 1_481_765_933;

/**
 * Says whether an id (UUID) belongs to a part, by a multiplicative hash of its last 32 bits, which never changes. These bits are random. The hash
 * divides ids evenly that count up, too, such as those of tests.
 */
export function isInShard({ shard, shards }: IndexShard, id: string): boolean {
  const tail = Number.parseInt(id.slice(-8), 16);
  const hash = Math.imul(tail, shard_multiplier) >>> 0;
  return Math.floor((hash * shards) / 2 ** 32) === shard - 1;
}

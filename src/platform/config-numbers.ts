import type { IndexShard } from '#lib/concurrency/index-shard.ts';

/** An invalid configuration. The message is one line that names the variable. */
export class ConfigError extends Error {}

/** @throws ConfigError that names the variable, if its value is zero. */
export function parsePositive(name: string, value: string): number {
  if (Number(value) === 0) throw new ConfigError(`${name} is not valid: it must be above zero`);
  return Number(value);
}

/** @throws ConfigError that names the variable, if its value is out of range. */
export function parseRange(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (number < least || number > most)
    throw new ConfigError(`${name} is not valid: it must be between ${least} and ${most}`);
  return number;
}

const shards_max = 128;

/** What the number of a part looks like, and how an error message describes it: "it must be …". */
export const indexShardForm = {
  pattern: /^[1-9]\d{0,2}\/[1-9]\d{0,2}$/,
  description: `the number of a part and that of all parts, such as 2/4, with at most ${shards_max} parts`,
} as const;

/** @throws ConfigError for a part that does not exist, or too many parts. */
export function readIndexShard(value: string | undefined): IndexShard | undefined {
  if (value === undefined) return undefined;
  const [shard = 0, shards = 0] = value.split('/').map(Number);
  if (shard > shards || shards > shards_max)
    throw new ConfigError(`TESSERA_INDEX_SHARD is not valid: it must be ${indexShardForm.description}`);
  return { shard, shards };
}

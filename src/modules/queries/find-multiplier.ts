import type { Reader } from '#platform/database/database.ts';

/** Finds the member's legibility multiplier in basis points. */
export async function findMultiplier(_db: Reader, _member_id: string): Promise<number> {
  return 10_000;
}

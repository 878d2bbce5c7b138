/** A part of all ids: from the first to the last, both included. */
export type Slice = { readonly first: string; readonly last: string };

/** So many postings are read by one statement in a fraction of the time that a statement has. */
export const whole_postings_max = 20_000;

const slice_count = 64;

/**
 * Cuts the ids into slices of equal size, so that a statement of a check reads a small part of the ledger, within the time that a statement has. A small
 * ledger is one slice: 64 times as many statements would take longer than what they read.
 *
 * @param postings How many postings there are, counted to just above `whole_postings_max`.
 */
export function cutSlices(postings: number): readonly Slice[] {
  const count = postings <= whole_postings_max ? 1 : slice_count;
  return Array.from({ length: count }, (_, index) => ({
    first: `${formatByte((index * 256) / count)}000000-0000-0000-0000-000000000000`,
    last: `${formatByte(((index + 1) * 256) / count - 1)}ffffff-ffff-ffff-ffff-ffffffffffff`,
  }));
}

function formatByte(value: number): string {
  return value.toString(16).padStart(2, '0');
}

/** Runs one check on each slice, one after the other, and joins what they return. */
export async function checkSlices<Found>(
  slices: readonly Slice[],
  check: (slice: Slice) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const slice of slices) found.push(...(await check(slice)));
  return found;
}

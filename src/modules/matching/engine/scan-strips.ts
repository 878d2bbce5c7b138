import { stripMembers } from './layout.ts';
import type { ScanQuery, StripScanner } from './strip-scanner.ts';

/** Several queries over the first `size` members. Each participating thread claims strips from `next` until none is left. */
export type StripOrder = {
  readonly queries: readonly ScanQuery[];
  readonly size: number;
  /** The number of the next strip, shared by the threads. */
  readonly next: Int32Array<SharedArrayBuffer>;
};

/** Pairs of position and score of one query, with the strips in the order in which they were claimed. */
export type ScoredPairs = Int32Array<ArrayBuffer>;

/** Scans strips until all are claimed. All queries read a strip while it is in the cache. */
export function scanStrips(scanner: StripScanner, { queries, size, next }: StripOrder): ScoredPairs[] {
  const lists = queries.map(() => ({ pairs: new Int32Array(1024), length: 0 }));
  const scans = queries.map((query) => scanner.prepare(query));
  for (;;) {
    const from = Atomics.add(next, 0, 1) * stripMembers;
    if (from >= size) break;
    const strip = { from, to: Math.min(size, from + stripMembers) };
    for (let index = 0; index < scans.length; index += 1) {
      const count = scans[index]!(strip);
      if (count > 0) appendPairs(lists[index]!, scanner.found.subarray(0, 2 * count));
    }
  }
  return lists.map(({ pairs, length }) => pairs.slice(0, length));
}

function appendPairs(list: { pairs: ScoredPairs; length: number }, added: Int32Array): void {
  const length = list.length + added.length;
  if (length > list.pairs.length) {
    const larger = new Int32Array(Math.max(2 * list.pairs.length, length));
    larger.set(list.pairs.subarray(0, list.length));
    list.pairs = larger;
  }
  list.pairs.set(added, list.length);
  list.length = length;
}

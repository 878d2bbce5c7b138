import { stripMembers } from './layout.ts';
import type { ScanQuery, StripScanner } from './strip-scanner.ts';

/** Several queries over the first `size` members; who takes part claims strips from `next` until none is left. */
export type StripOrder = {
  readonly queries: readonly ScanQuery[];
  readonly size: number;
  /** The number of the next strip, shared by the threads. */
  readonly next: Int32Array<SharedArrayBuffer>;
};

/** Pairs of position and score, of one query; strips in the order in which they were claimed. */
export type ScoredPairs = Int32Array<ArrayBuffer>;

/** Scans strips until all are claimed: every query looks at a strip while it is in the cache. */
export function scanStrips(scanner: StripScanner, { queries, size, next }: StripOrder): ScoredPairs[] {
  const found = queries.map(() => ({ pairs: new Int32Array(1024), length: 0 }));
  const looks = queries.map((query) => scanner.prepare(query));
  for (;;) {
    const from = Atomics.add(next, 0, 1) * stripMembers;
    if (from >= size) break;
    const strip = { from, to: Math.min(size, from + stripMembers) };
    for (let index = 0; index < looks.length; index += 1) {
      const count = looks[index]!(strip);
      if (count > 0) appendPairs(found[index]!, scanner.found.subarray(0, 2 * count));
    }
  }
  return found.map(({ pairs, length }) => pairs.slice(0, length));
}

function appendPairs(found: { pairs: ScoredPairs; length: number }, more: Int32Array): void {
  const length = found.length + more.length;
  if (length > found.pairs.length) {
    const larger = new Int32Array(Math.max(2 * found.pairs.length, length));
    larger.set(found.pairs.subarray(0, found.length));
    found.pairs = larger;
  }
  found.pairs.set(more, found.length);
  found.length = length;
}

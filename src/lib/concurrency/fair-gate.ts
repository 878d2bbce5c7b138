/** A limit on what runs at the same time, by whom it is for. */
export type FairGate = {
  /**
   * Starts something for a key when a place is free, at once if possible. What has to wait for too long is refused instead.
   *
   * @param isReturning It has begun before: it goes ahead of what has not, and is refused later.
   */
  readonly enter: (key: string, start: () => void, refuse: () => void, isReturning?: boolean) => void;
  /** Gives a place of a key back. */
  readonly leave: (key: string) => void;
  readonly countWaiting: () => number;
};

export type FairGateOptions = {
  readonly places: number;
  /** The places of one key. */
  readonly places_each: number;
  /** How many may wait. A key may use as many of these as are left to others, so that no flood leaves nothing to the next key. */
  readonly waiting_max: number;
  /** How long a burst may wait, and so may what has begun; 3 s by default. */
  readonly burst_wait_ms?: number | undefined;
};

/** The part of this time for which something may wait while others have waited all the time: longer queues only make everybody late. */
const standing_share = 1 / 6;
/** For how long somebody has to wait before it is no burst any more. */
const burst_ms = 1_000;
const check_ms = 10;
/** Refusing takes time as well. */
const refused_max = 5;

type Entry = { readonly start: () => void; readonly refuse: () => void; readonly since_ms: number };

/** What waits and runs for one key. Sets, because taking from the front of an array is slow if many wait. */
type Line = {
  readonly key: string;
  running: number;
  readonly returning: Set<Entry>;
  readonly waiting: Set<Entry>;
};

/**
 * Creates a gate with places. Keys for which something waits take turns, so that one for which much waits delays only itself, and none holds
 * more than its own places.
 *
 * The time limit is that of "controlled delay" (Nichols and Jacobson, Controlling Queue Delay, 2012, as used for requests by Maurer, Fail at
 * Scale, 2015): long for a burst, short while the queue does not become empty.
 */
export function createFairGate(options: FairGateOptions): FairGate {
  const { places, places_each, waiting_max, burst_wait_ms = 3_000 } = options;
  const lines = new Map<string, Line>();
  /** The lines that have something to start and places of their own, in the order of their turns. Empty while a place is free. */
  const ready = new Set<Line>();
  let free = places;
  let waiting = 0;
  let waiting_since_ms = 0;
  let checking: NodeJS.Timeout | undefined;

  return {
    enter: (key, start, refuse, isReturning = false) => {
      const line = findOrCreateLine(lines, key);
      if (free > 0 && line.running < places_each && countLine(line) === 0) {
        takePlace(line);
        return start();
      }
      if (!isReturning && countLine(line) >= waiting_max - waiting) {
        closeIdleLine(lines, line);
        return refuse();
      }
      const now = performance.now();
      if (waiting++ === 0) startWaiting(now);
      (isReturning ? line.returning : line.waiting).add({ start, refuse, since_ms: now });
      if (line.running < places_each) ready.add(line);
    },
    leave: (key) => {
      const line = lines.get(key)!;
      line.running--;
      free++;
      if (countLine(line) > 0) ready.add(line);
      closeIdleLine(lines, line);
      startNext();
    },
    countWaiting: () => waiting,
  };

  function takePlace(line: Line): void {
    line.running++;
    free--;
  }

  function startNext(): void {
    for (const line of ready) {
      if (free === 0) return;
      ready.delete(line);
      const from = line.returning.size > 0 ? line.returning : line.waiting;
      const [entry] = from;
      takePlace(line);
      forgetEntry(from, entry!);
      // To the end: the others have their turns first.
      if (countLine(line) > 0 && line.running < places_each) ready.add(line);
      entry!.start();
    }
  }

  function forgetEntry(from: Set<Entry>, entry: Entry): void {
    from.delete(entry);
    if (--waiting === 0) clearInterval(checking);
  }

  function startWaiting(now: number): void {
    waiting_since_ms = now;
    checking = setInterval(refuseLate, check_ms);
  }

  function refuseLate(): void {
    const now = performance.now();
    const waiting_ms = burst_wait_ms * (now - waiting_since_ms > burst_ms ? standing_share : 1);
    const limits = { returning_ms: burst_wait_ms, waiting_ms };
    for (const { line, from, entry } of listLate(lines.values(), now, limits)) {
      forgetEntry(from, entry);
      if (countLine(line) === 0) ready.delete(line);
      closeIdleLine(lines, line);
      entry.refuse();
    }
  }
}

function findOrCreateLine(lines: Map<string, Line>, key: string): Line {
  const known = lines.get(key);
  if (known) return known;
  const line: Line = { key, running: 0, returning: new Set(), waiting: new Set() };
  lines.set(key, line);
  return line;
}

function closeIdleLine(lines: Map<string, Line>, line: Line): void {
  if (line.running === 0 && countLine(line) === 0) lines.delete(line.key);
}

type LateEntry = { readonly line: Line; readonly from: Set<Entry>; readonly entry: Entry };

/** Lists the first entries that have waited for too long. In each set, the oldest is the first. */
function listLate(
  lines: Iterable<Line>,
  now: number,
  { returning_ms, waiting_ms }: { readonly returning_ms: number; readonly waiting_ms: number },
): readonly LateEntry[] {
  const late: LateEntry[] = [];
  for (const line of lines)
    for (const from of [line.returning, line.waiting]) {
      const limit_ms = from === line.returning ? returning_ms : waiting_ms;
      for (const entry of from) {
        if (now - entry.since_ms <= limit_ms) break;
        if (late.push({ line, from, entry }) === refused_max) return late;
      }
    }
  return late;
}

function countLine({ returning, waiting }: Line): number {
  return returning.size + waiting.size;
}

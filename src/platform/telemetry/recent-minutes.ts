import type { Clock } from '#platform/clock.ts';

/** What this process did in one minute. */
export type RecentMinute = {
  readonly began_at: Date;
  readonly requests: number;
  /** Requests that were refused: 4xx. */
  readonly refused: number;
  /** Requests that failed: 5xx. */
  readonly failed: number;
  /** Half of the requests took at most this long; undefined without requests. Too long by a fifth at most. */
  readonly median_ms: number | undefined;
  /** 95 of 100 requests took at most this long. */
  readonly p95_ms: number | undefined;
  readonly mails_sent: number;
  readonly mails_failed: number;
};

/** Counts requests and mails of this process by minute. */
export type RecentMinutes = {
  observeRequest(status: number, seconds: number): void;
  countMail(outcome: 'sent' | 'failed'): void;
  /** The last sixty minutes, the oldest first, with the current one. Minutes before the process started are missing. */
  list(): readonly RecentMinute[];
};

const minutes_kept = 60;
const minute_ms = 60_000;
/** Durations are counted in classes, each a fifth longer than the one before: from a quarter of a millisecond to fourteen seconds. */
const classes = 64;
const shortest_ms = 0.25;
const classes_per_doubling = 4;

type Counts = {
  readonly minute: number;
  readonly durations: Uint32Array;
  refused: number;
  failed: number;
  mails_sent: number;
  mails_failed: number;
};

/** Opens the counts of the last hour, which take 16 kB. */
export function openRecentMinutes(clock: Clock): RecentMinutes {
  const counts: (Counts | undefined)[] = Array<undefined>(minutes_kept).fill(undefined);
  const readMinute = () => Math.floor(clock.now().getTime() / minute_ms);
  const first_minute = readMinute();
  const findCounts = (): Counts => {
    const minute = readMinute();
    const known = counts[minute % minutes_kept];
    if (known?.minute === minute) return known;
    return (counts[minute % minutes_kept] = createCounts(minute));
  };
  return {
    observeRequest: (status, seconds) => {
      const current = findCounts();
      current.durations[classify(seconds * 1_000)]!++;
      if (status >= 500) current.failed++;
      else if (status >= 400) current.refused++;
    },
    countMail: (outcome) => void findCounts()[outcome === 'sent' ? 'mails_sent' : 'mails_failed']++,
    list: () => {
      const last = readMinute();
      const from = Math.max(first_minute, last - minutes_kept + 1);
      return Array.from({ length: Math.max(0, last - from + 1) }, (_, place) => {
        const known = counts[(from + place) % minutes_kept];
        return describeMinute(known?.minute === from + place ? known : createCounts(from + place));
      });
    },
  };
}

function createCounts(minute: number): Counts {
  return {
    minute,
    durations: new Uint32Array(classes),
    refused: 0,
    failed: 0,
    mails_sent: 0,
    mails_failed: 0,
  };
}

function classify(ms: number): number {
  const place = Math.ceil(classes_per_doubling * Math.log2(ms / shortest_ms));
  return Math.min(classes - 1, Math.max(0, place));
}

function describeMinute({ minute, durations, ...counted }: Counts): RecentMinute {
  return {
    began_at: new Date(minute * minute_ms),
    requests: durations.reduce((sum, count) => sum + count, 0),
    median_ms: findQuantile(durations, 0.5),
    p95_ms: findQuantile(durations, 0.95),
    ...counted,
  };
}

/** The upper limit of the class that has the quantile. */
function findQuantile(durations: Uint32Array, share: number): number | undefined {
  const total = durations.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let seen = 0;
  const place = durations.findIndex((count) => (seen += count) >= share * total);
  return shortest_ms * 2 ** (place / classes_per_doubling);
}

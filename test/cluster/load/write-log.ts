import { setTimeout as pause } from 'node:timers/promises';

/** An acknowledged write: the id by which it can be found again, and when the acknowledgement came. */
export type Acknowledged = { readonly id: string; readonly at_ms: number };

/** What a client got for a write. Without an id nothing was acknowledged. */
export type Attempt = { readonly status: number | 'none'; readonly id?: string | undefined };

/** What clients wrote, by kind of write, until they are stopped. */
export type WriteLog = {
  readonly stopping: AbortSignal;
  /** The acknowledged writes of a kind. */
  readonly list: (kind: string) => readonly Acknowledged[];
  /** Counts the replies by status, of all kinds together or of one; `none` counts requests whose connection broke. */
  readonly countStatuses: (kind?: string) => ReadonlyMap<string, number>;
  /** Sends one write, and rests. Never rejects. */
  readonly attempt: (kind: string, send: () => Promise<Attempt>) => Promise<Attempt>;
  /** Notes something that is not sent by itself, such as that an assessment has ended. */
  readonly record: (kind: string, id: string) => void;
  /** The longest time without an acknowledged write, of one of the kinds, between two moments, in milliseconds. */
  readonly findLongestGap: (kinds: readonly string[], from_ms: number, to_ms: number) => number;
  /** Waits until several writes of a kind that began after this call have been acknowledged. */
  readonly waitForWrites: (kind: string, clients: number) => Promise<void>;
  readonly stop: () => void;
};

/** How long a client waits before it tries again. Shorter than Retry-After, so that the recovery is measured exactly. */
const retry_ms = 50;

/** Time between two writes of a client, so that the tasks that they cause can keep up. */
const rest_ms = 150;

const wait_max_ms = 600_000;

/** Opens an empty log. */
export function openWriteLog(): WriteLog {
  const stopping = new AbortController();
  const acknowledged = new Map<string, Acknowledged[]>();
  const statuses: { readonly kind: string; readonly status: string }[] = [];
  const list = (kind: string): Acknowledged[] => {
    if (!acknowledged.has(kind)) acknowledged.set(kind, []);
    return acknowledged.get(kind)!;
  };
  return {
    stopping: stopping.signal,
    list,
    countStatuses: (kind) =>
      countStatuses(statuses.filter((each) => kind === undefined || each.kind === kind)),
    attempt: async (kind, send) => {
      const { status, id } = await send().catch((): Attempt => ({ status: 'none' }));
      statuses.push({ kind, status: String(status) });
      if (id !== undefined) list(kind).push({ id, at_ms: performance.now() });
      await pause(id === undefined ? retry_ms : rest_ms);
      return { status, id };
    },
    record: (kind, id) => void list(kind).push({ id, at_ms: performance.now() }),
    findLongestGap: (kinds, from_ms, to_ms) => findLongestGap(kinds.flatMap(list), from_ms, to_ms),
    waitForWrites: async (kind, clients) => {
      // Each client has at most one write under way, so one of these began later.
      const enough = list(kind).length + clients + 1;
      const deadline = performance.now() + wait_max_ms;
      while (list(kind).length < enough) {
        if (performance.now() > deadline)
          throw new Error(`no ${kind} were acknowledged in ${wait_max_ms / 1_000} s`);
        await pause(20);
      }
    },
    stop: () => stopping.abort(),
  };
}

function countStatuses(replies: readonly { readonly status: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

function findLongestGap(acknowledged: readonly Acknowledged[], from_ms: number, to_ms: number): number {
  const inside = acknowledged.map(({ at_ms }) => at_ms).filter((time) => time > from_ms && time < to_ms);
  const times = [from_ms, ...inside.sort((a, b) => a - b), to_ms];
  return Math.max(...times.slice(1).map((time, position) => time - times[position]!));
}

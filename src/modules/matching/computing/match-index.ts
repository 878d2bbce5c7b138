import { availableParallelism } from 'node:os';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { positionOf, positionsOfTail, idAt } from '../engine/member-ids.ts';
import { openScanner, type Scanner } from '../engine/scanner.ts';
import {
  createPopulation,
  populationSize,
  removeMember,
  upsertMember,
  type Population,
} from '../engine/population.ts';
import type { Members } from '../engine/shortlist.ts';
import { findChangeMark, listChanges, type Change, type ChangeMark } from './store-changes.ts';
import { beforeFirst, listVectors, listVectorsOf } from './store-vectors.ts';

/**
 * Every deployed member in memory, as the database has them. Each process that computes matches keeps its own; it is built when it is
 * first needed and then follows the changes.
 */
export type MatchIndex = Members & {
  /** Resolves when the index holds everything that was committed before the call; builds it where it is not there yet. */
  refresh(): Promise<void>;
  /** Whether the member was there at the last refresh. */
  has(member_id: string): boolean;
  size(): number;
  /** Refreshes from now on every `every_ms`; a look that fails is not lost, as the next one reaches back just as far. */
  watch(every_ms?: number): void;
  /** Stops watching and ends the threads. */
  close(): Promise<void>;
} & AsyncDisposable;

type Source = Pick<Platform, 'database' | 'now'>;

/** The index of a running service. */
export const matchIndexOf = instanceMemory(openMatchIndex);

/** Builds the index of a running service in the background, and keeps it fresh. */
export function watchMatches(platform: Platform): void {
  matchIndexOf(platform).watch();
}

const watch_every_ms = 1_000;
/** Small enough that reading a batch holds this process up for no more than some tens of milliseconds. */
const batch_members = 2_000;
const page_changes = 5_000;
/** Changes are kept for a day; an index that has not looked for so long begins anew. */
const memory_ms = 12 * 60 * 60 * 1_000;
/** As many as there are processors; beyond these, threads would wait for the memory. */
const threads_max = 16;

/** Opens an index; nothing is read and no thread runs until it is needed. */
export function openMatchIndex(source: Source): MatchIndex {
  let state: State | undefined;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  const inTurn = turns();
  const refresh = shared(async () => {
    state = await caughtUp({ ...source, signal: closing.signal }, state, inTurn);
  });
  const close = async () => {
    clearInterval(timer);
    closing.abort();
    await inTurn(async () => state?.scanner.close());
  };
  const scanner = () => {
    if (!state) throw new Error('the index is used before it is refreshed');
    return state.scanner;
  };
  return {
    refresh,
    has: (member_id) => positionOf(scanner().population.ids, member_id) !== undefined,
    size: () => (state ? populationSize(state.scanner.population) : 0),
    exclusive: (work) => inTurn(() => work(scanner())),
    read: (member_ids) => listVectorsOf(source.database, member_ids),
    watch: (every_ms = watch_every_ms) => {
      timer = setInterval(() => void refresh().catch(() => undefined), every_ms);
      timer.unref();
      void refresh().catch(() => undefined);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What an index knows: everything of transactions before the mark, and perhaps more. */
type State = { readonly scanner: Scanner; readonly mark: ChangeMark; readonly looked_at_ms: number };

type Looking = Source & { readonly signal: AbortSignal };

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

async function caughtUp(source: Looking, state: State | undefined, inTurn: InTurn): Promise<State> {
  const looked_at_ms = source.now().getTime();
  // Taken before anything is read: what commits afterwards has this number or a higher one, and is read the next time.
  const mark = await findChangeMark(source.database);
  // A database that has gone back, to a copy of itself, has changes that were never told.
  const usable = state && looked_at_ms - state.looked_at_ms < memory_ms && BigInt(mark) >= BigInt(state.mark);
  if (usable) {
    await follow(source, state, inTurn);
    return { ...state, mark, looked_at_ms };
  }
  const scanner = await build(source);
  if (state) await inTurn(() => state.scanner.close());
  return { scanner, mark, looked_at_ms };
}

async function build({ database, signal }: Looking): Promise<Scanner> {
  const threads = 1 + Math.min(threads_max, availableParallelism());
  const population = createPopulation({ threads });
  for (let after: string | undefined = beforeFirst; after !== undefined;) {
    signal.throwIfAborted();
    const vectors = await listVectors(database, after, batch_members);
    for (const vector of vectors) upsertMember(population, vector.member_id, vector);
    after = vectors.length === batch_members ? vectors.at(-1)!.member_id : undefined;
  }
  return openScanner(population);
}

/** Reads what changed since the mark, page by page, and brings the members who are named up to date. */
async function follow(
  { database, signal }: Looking,
  { scanner, mark }: State,
  inTurn: InTurn,
): Promise<void> {
  const { population } = scanner;
  let page: readonly Change[] = [];
  do {
    signal.throwIfAborted();
    page = await listChanges(database, mark, page.at(-1), page_changes);
    const named = new Set(page.flatMap((change) => namedBy(population, change)));
    const member_ids = [...named];
    for (let from = 0; from < member_ids.length; from += batch_members) {
      const batch = member_ids.slice(from, from + batch_members);
      const vectors = await listVectorsOf(database, batch);
      await inTurn(async () => apply(population, batch, vectors));
    }
  } while (page.length === page_changes);
}

function namedBy(population: Population, { member_id, erased_tail }: Change): readonly string[] {
  if (member_id !== null) return [member_id];
  return positionsOfTail(population.ids, erased_tail!).map((position) => idAt(population.ids, position));
}

function apply(
  population: Population,
  member_ids: readonly string[],
  vectors: Awaited<ReturnType<typeof listVectorsOf>>,
): void {
  const left = new Set(member_ids);
  for (const vector of vectors) {
    upsertMember(population, vector.member_id, vector);
    left.delete(vector.member_id);
  }
  for (const member_id of left) removeMember(population, member_id);
}

/** Runs works one after another. */
function turns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Runs a look for all who ask while the one before is under way: one that had begun before they asked would tell them too little. */
function shared(look: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = look();
        return running;
      });
    return next;
  };
}

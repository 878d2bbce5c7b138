import { nil_uuid } from '#lib/nil-uuid.ts';
import { availableParallelism } from 'node:os';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { findPosition, listPositionsByTail, readId } from '../engine/member-ids.ts';
import { openScanner, type Scanner } from '../engine/scanner.ts';
import {
  createPopulation,
  countMembers,
  removeMember,
  upsertMember,
  type Population,
} from '../engine/population.ts';
import type { MemberSource } from '../engine/shortlist.ts';
import { findChangeMark, listChanges, type Change, type ChangeMark } from './store-changes.ts';
import { listVectors, listMemberVectors } from './store-vectors.ts';

/**
 * Every deployed member in memory, as the database has them. Each process that computes matches keeps its own; it is built when it is
 * first needed and then follows the changes.
 */
export type MatchIndex = MemberSource & {
  /** Resolves when the index holds everything that was committed before the call; builds it where it is not there yet. */
  refresh(): Promise<void>;
  /** Whether the member was there at the last refresh. */
  hasMember(member_id: string): boolean;
  countMembers(): number;
  /** Refreshes from now on every `every_ms`; a look that fails is not lost, as the next one reaches back just as far. */
  watch(every_ms?: number): void;
  /** Stops watching and ends the threads. */
  close(): Promise<void>;
} & AsyncDisposable;

type Source = Pick<Platform, 'database' | 'now'>;

/** The index of a running service. */
export const getMatchIndex = instanceMemory(openMatchIndex);

/** Builds the index of a running service in the background, and keeps it fresh. */
export function watchMatchIndex(platform: Platform): void {
  getMatchIndex(platform).watch();
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
  const runInSequence = createSequentialRunner();
  const refresh = coalesceCalls(async () => {
    state = await refreshState({ ...source, signal: closing.signal }, state, runInSequence);
  });
  const close = async () => {
    clearInterval(timer);
    closing.abort();
    await runInSequence(async () => state?.scanner.close());
  };
  const requireScanner = () => {
    if (!state) throw new Error('the index is used before it is refreshed');
    return state.scanner;
  };
  return {
    refresh,
    hasMember: (member_id) => findPosition(requireScanner().population.ids, member_id) !== undefined,
    countMembers: () => (state ? countMembers(state.scanner.population) : 0),
    runExclusively: (work) => runInSequence(() => work(requireScanner())),
    readMembers: (member_ids) => listMemberVectors(source.database, member_ids),
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

type IndexContext = Source & { readonly signal: AbortSignal };

type SequentialRunner = <Result>(work: () => Promise<Result>) => Promise<Result>;

async function refreshState(
  source: IndexContext,
  state: State | undefined,
  inTurn: SequentialRunner,
): Promise<State> {
  const looked_at_ms = source.now().getTime();
  // Taken before anything is read: what commits afterwards has this number or a higher one, and is read the next time.
  const mark = await findChangeMark(source.database);
  // A database that has gone back, to a copy of itself, has changes that were never told.
  const usable = state && looked_at_ms - state.looked_at_ms < memory_ms && BigInt(mark) >= BigInt(state.mark);
  if (usable) {
    await applyChanges(source, state, inTurn);
    return { ...state, mark, looked_at_ms };
  }
  const scanner = await buildScanner(source);
  if (state) await inTurn(() => state.scanner.close());
  return { scanner, mark, looked_at_ms };
}

async function buildScanner({ database, signal }: IndexContext): Promise<Scanner> {
  const threads = 1 + Math.min(threads_max, availableParallelism());
  const population = createPopulation({ threads });
  for (let after: string | undefined = nil_uuid; after !== undefined;) {
    signal.throwIfAborted();
    const vectors = await listVectors(database, after, batch_members);
    for (const vector of vectors) upsertMember(population, vector.member_id, vector);
    after = vectors.length === batch_members ? vectors.at(-1)!.member_id : undefined;
  }
  return openScanner(population);
}

/** Reads what changed since the mark, page by page, and brings the members who are named up to date. */
async function applyChanges(
  { database, signal }: IndexContext,
  { scanner, mark }: State,
  inTurn: SequentialRunner,
): Promise<void> {
  const { population } = scanner;
  let page: readonly Change[] = [];
  do {
    signal.throwIfAborted();
    page = await listChanges(database, mark, page.at(-1), page_changes);
    const named = new Set(page.flatMap((change) => listChangedIds(population, change)));
    const member_ids = [...named];
    for (let from = 0; from < member_ids.length; from += batch_members) {
      const batch = member_ids.slice(from, from + batch_members);
      const vectors = await listMemberVectors(database, batch);
      await inTurn(async () => applyVectors(population, batch, vectors));
    }
  } while (page.length === page_changes);
}

function listChangedIds(population: Population, { member_id, erased_tail }: Change): readonly string[] {
  if (member_id !== null) return [member_id];
  return listPositionsByTail(population.ids, erased_tail!).map((position) =>
    readId(population.ids, position),
  );
}

function applyVectors(
  population: Population,
  member_ids: readonly string[],
  vectors: Awaited<ReturnType<typeof listMemberVectors>>,
): void {
  const left = new Set(member_ids);
  for (const vector of vectors) {
    upsertMember(population, vector.member_id, vector);
    left.delete(vector.member_id);
  }
  for (const member_id of left) removeMember(population, member_id);
}

/** Runs works one after another. */
function createSequentialRunner(): SequentialRunner {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Runs a look for all who ask while the one before is under way: one that had begun before they asked would tell them too little. */
function coalesceCalls(look: () => Promise<void>): () => Promise<void> {
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

import { availableParallelism } from 'node:os';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { findPosition, listPositionsByTail, readId } from '../engine/member-ids.ts';
import {
  countMembers,
  createPopulation,
  removeMember,
  upsertMember,
  type Population,
} from '../engine/population.ts';
import { openScanner, type Scanner } from '../engine/scanner.ts';
import type { MemberSource } from '../engine/shortlist.ts';
import { findChangeMark, listChanges, type Change, type ChangeMark } from './store-changes.ts';
import { listMemberVectors, listVectors } from './store-vectors.ts';

/**
 * All deployed members in memory. Every process that computes matches has its own index, which is built when it is first needed and then
 * follows the changes in the database.
 */
export type MatchIndex = MemberSource & {
  /** Resolves when the index contains everything that was committed before the call. The first call builds the index. */
  refresh(): Promise<void>;
  /** Says whether the member was deployed at the last refresh. */
  hasMember(member_id: string): boolean;
  countMembers(): number;
  /** Starts refreshing every `every_ms`. After a failed refresh, the next one also reads the changes that the failed one missed. */
  watch(every_ms?: number): void;
  /** Stops watching and ends the threads. */
  close(): Promise<void>;
} & AsyncDisposable;

type Source = Pick<Platform, 'database' | 'now'>;

/** Returns the index of a running service. */
export const getMatchIndex = instanceMemory(openMatchIndex);

/** Builds the index of a running service in the background and refreshes it continuously. */
export function watchMatchIndex(platform: Platform): void {
  getMatchIndex(platform).watch();
}

const watch_every_ms = 1_000;
/** Small enough that a batch blocks the process for a few tens of milliseconds at most. */
const batch_members = 2_000;
const page_changes = 5_000;
/** An index that was not refreshed for this long is rebuilt from scratch, because changes are deleted after a day. */
const refresh_gap_max_ms = 12 * 60 * 60 * 1_000;
/** The limit for machines with many processors: more threads would only wait for the memory. */
const threads_max = 16;

/** Opens an index. It reads nothing and starts no thread until it is needed. */
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
    if (!state) throw new Error('the index was used before its first refresh');
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

/** The contents of an index: all changes of transactions before the mark, and possibly later ones. */
type State = { readonly scanner: Scanner; readonly mark: ChangeMark; readonly refreshed_at_ms: number };

type IndexContext = Source & { readonly signal: AbortSignal };

type SequentialRunner = <Result>(work: () => Promise<Result>) => Promise<Result>;

async function refreshState(
  source: IndexContext,
  state: State | undefined,
  runInSequence: SequentialRunner,
): Promise<State> {
  const refreshed_at_ms = source.now().getTime();
  // Read first: what commits afterwards has this number or a higher one, so that the next refresh reads it.
  const mark = await findChangeMark(source.database);
  // A lower mark means that the database was restored from a backup, so the recorded changes are incomplete.
  const isUsable =
    state &&
    refreshed_at_ms - state.refreshed_at_ms < refresh_gap_max_ms &&
    BigInt(mark) >= BigInt(state.mark);
  if (isUsable) {
    await applyChanges(source, state, runInSequence);
    return { ...state, mark, refreshed_at_ms };
  }
  const scanner = await buildScanner(source);
  if (state) await runInSequence(() => state.scanner.close());
  return { scanner, mark, refreshed_at_ms };
}

async function buildScanner({ database, signal }: IndexContext): Promise<Scanner> {
  const threads = 1 + Math.min(threads_max, availableParallelism());
  const population = createPopulation({ threads });
  for (let after: string | undefined = nil_uuid; after !== undefined;) {
    signal.throwIfAborted();
    const vectors = await listVectors(database, after, batch_members);
    for (const vector of vectors) upsertMember(population, vector.member_id, vector);
    after = vectors.length === batch_members ? vectors.at(-1)?.member_id : undefined;
  }
  return openScanner(population);
}

/** Reads the changes since the mark, page by page, and updates the members that they name. */
async function applyChanges(
  { database, signal }: IndexContext,
  { scanner, mark }: State,
  runInSequence: SequentialRunner,
): Promise<void> {
  const { population } = scanner;
  let page: readonly Change[] = [];
  do {
    signal.throwIfAborted();
    page = await listChanges(database, mark, page.at(-1), page_changes);
    const member_ids = [...new Set(page.flatMap((change) => listChangedIds(population, change)))];
    for (let from = 0; from < member_ids.length; from += batch_members) {
      const batch = member_ids.slice(from, from + batch_members);
      const vectors = await listMemberVectors(database, batch);
      await runInSequence(async () => applyVectors(population, batch, vectors));
    }
  } while (page.length === page_changes);
}

function listChangedIds(population: Population, { member_id, erased_tail }: Change): readonly string[] {
  if (member_id !== null) return [member_id];
  return listPositionsByTail(population.ids, erased_tail).map((position) => readId(population.ids, position));
}

function applyVectors(
  population: Population,
  member_ids: readonly string[],
  vectors: Awaited<ReturnType<typeof listMemberVectors>>,
): void {
  const undeployed = new Set(member_ids);
  for (const vector of vectors) {
    upsertMember(population, vector.member_id, vector);
    undeployed.delete(vector.member_id);
  }
  for (const member_id of undeployed) removeMember(population, member_id);
}

/** Creates a function that runs asynchronous work one after the other. */
function createSequentialRunner(): SequentialRunner {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Shares one later run among all calls that arrive during a run, because a run that began before a call may miss what the caller needs. */
function coalesceCalls(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = run();
        return running;
      });
    return next;
  };
}

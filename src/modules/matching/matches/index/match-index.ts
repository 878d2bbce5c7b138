import { availableParallelism } from 'node:os';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { createSequentialRunner, type SequentialRunner } from '#lib/concurrency/sequential-runner.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { type IndexShard, isInShard } from '#lib/concurrency/index-shard.ts';
import type { Platform, Services } from '#platform/platform.ts';
import {
  type MemberSource,
  type Population,
  type Scanner,
  computePopulationBytes,
  countMembers,
  createPopulation,
  listPositionsByTail,
  openScanner,
  readId,
  removeMember,
  upsertMember,
} from '#modules/matching/engine';
import { openIndexCopy, type CopiedIndex, type IndexCopy } from './index-copy.ts';
import {
  findChangeSnapshots,
  hasEveryChange,
  listChanges,
  toMarks,
  toSnapshots,
  type Change,
  type ChangeSnapshots,
} from './store-changes.ts';
import { findListedVersion, listMemberVectors, listVectors } from './store-vectors.ts';

/**
 * All deployed members in memory, or one part of them. Every process that computes matches has its own index, which is built when it is first
 * needed and then follows the changes in the database.
 */
export type MatchIndex = MemberSource & {
  /** Resolves when the index contains everything that was committed before the call. The first call builds the index. */
  refresh(): Promise<void>;
  countMembers(): number;
  /** The version of the parameters whose vectors the index contains; undefined as long as there is only one. */
  getVersion(): string | undefined;
  /** The snapshots of the last refresh: the index contains every change that is visible in them. */
  getSnapshots(): ChangeSnapshots;
  /** Describes how complete the index is, for the operator. */
  readState(): IndexState;
  /** Starts refreshing every `every_ms`. After a failed refresh, the next one also reads the changes that the failed one missed. */
  watch(every_ms?: number): void;
  /** Stops watching and ends the threads. */
  close(): Promise<void>;
} & AsyncDisposable;

type Source = Pick<Platform, 'database' | 'now'>;

/** Returns the index of a running service. */
export const getMatchIndex = instanceMemory((platform) => {
  const { dataDir, indexShard } = platform.config;
  return openMatchIndex(platform, openIndexCopy(platform, dataDir, indexShard), indexShard);
});

/** The index of deployed members that this process matches with. */
export type IndexState = {
  /** `building`: not yet usable. `behind`: usable, but it has not followed the changes for too long. */
  readonly readiness: 'building' | 'behind' | 'ready';
  readonly members: number;
  readonly bytes: number;
  /** The index contains every change that is older than this. Undefined until it is built. */
  readonly lag_seconds: number | undefined;
};

/** Describes the index of a running service. Undefined if the process has no worker, and so does not match. */
export function readIndexState(platform: Pick<Services, 'config' | 'memory'>): IndexState | undefined {
  return platform.config.serves.worker ? getMatchIndex(platform).readState() : undefined;
}

const watch_every_ms = 1_000;
/** A refresh takes less than this even after a bulk load, so an index that is older does not follow the changes. */
const lag_max_seconds = 60;
/** Small enough that a batch blocks the process for a few tens of milliseconds at most. */
const batch_members = 2_000;
const page_changes = 5_000;
/** An index that was not refreshed for this long is rebuilt from scratch, because changes are deleted after a day. */
export const refresh_gap_max_ms = 12 * 60 * 60 * 1_000;
/** An index that has not followed the changes for longer is not saved. With the greatest age of a copy, this is well below a day. */
const savable_lag_max_ms = 60 * 60 * 1_000;
/** The limit for machines with many processors: more threads would only wait for the memory. */
const threads_max = 16;

/**
 * Opens an index. It reads nothing and starts no thread until it is needed. It begins with the copy, if there is a usable one, and saves it.
 *
 * @param part The part of the members that it has; undefined for all of them.
 */
export function openMatchIndex(source: Source, copy?: IndexCopy, part?: IndexShard): MatchIndex {
  let state: State | undefined;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  const runInSequence = createSequentialRunner();
  const refresh = coalesceCalls(async () => {
    state = await refreshState({ ...source, copy, part, signal: closing.signal }, state, runInSequence);
  });
  const readIndex = () => selectSavableIndex(state, source.now());
  const follow = async () => {
    await refresh();
    await copy?.save('refresh', runInSequence, readIndex);
  };
  const close = async () => {
    clearInterval(timer);
    closing.abort();
    await copy?.save('close', runInSequence, readIndex);
    await runInSequence(async () => state?.scanner.close());
  };
  const requireState = () => {
    if (!state) throw new Error('the index was used before its first refresh');
    return state;
  };
  return {
    refresh,
    countMembers: () => (state ? countMembers(state.scanner.population) : 0),
    getVersion: () => requireState().version,
    getSnapshots: () => requireState().snapshots,
    readState: () => describeState(state, source.now()),
    runExclusively: (work) => runInSequence(() => work(requireState().scanner)),
    watch: (every_ms = watch_every_ms) => {
      timer = setInterval(() => void follow().catch(() => undefined), every_ms);
      timer.unref();
      void follow().catch(() => undefined);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The contents of an index: all changes that are visible in the snapshots, and possibly later ones. */
type State = {
  readonly scanner: Scanner;
  /** All vectors are of this version, until the index is built again with those of another one. */
  readonly version: string | undefined;
  readonly snapshots: ChangeSnapshots;
  readonly refreshed_at_ms: number;
};

type IndexContext = Source & {
  readonly copy: IndexCopy | undefined;
  readonly part: IndexShard | undefined;
  readonly signal: AbortSignal;
};

function describeState(state: State | undefined, now: Date): IndexState {
  if (!state) return { readiness: 'building', members: 0, bytes: 0, lag_seconds: undefined };
  const { population } = state.scanner;
  const lag_seconds = Math.max(0, now.getTime() - state.refreshed_at_ms) / 1_000;
  return {
    readiness: lag_seconds > lag_max_seconds ? 'behind' : 'ready',
    members: countMembers(population),
    bytes: computePopulationBytes(population),
    lag_seconds,
  };
}

/** Selects what a copy may contain. Its marks must not be old, because the log reaches back for a day only. */
function selectSavableIndex(state: State | undefined, now: Date): CopiedIndex | undefined {
  const isRecent = state && now.getTime() - state.refreshed_at_ms < savable_lag_max_ms;
  return isRecent
    ? { population: state.scanner.population, marks: toMarks(state.snapshots), version: state.version }
    : undefined;
}

async function refreshState(
  source: IndexContext,
  state: State | undefined,
  runInSequence: SequentialRunner,
): Promise<State> {
  const refreshed_at_ms = source.now().getTime();
  // Read first: what commits afterwards is not visible in them, so that the next refresh reads it.
  const snapshots = await findChangeSnapshots(source.database);
  const { version } = await findListedVersion(source.database);
  const start = state ?? (await loadState(source, snapshots, version, refreshed_at_ms));
  const isUsable =
    start &&
    start.version === version &&
    refreshed_at_ms - start.refreshed_at_ms < refresh_gap_max_ms &&
    hasEveryChange(toMarks(start.snapshots), toMarks(snapshots));
  if (isUsable) {
    await applyChanges(source, start, runInSequence);
    return { ...start, snapshots, refreshed_at_ms };
  }
  const scanner = await buildScanner(source, version);
  if (state) await runInSequence(() => state.scanner.close());
  return { scanner, version, snapshots, refreshed_at_ms };
}

/** Loads the copy, whose changes since then must still be read. The copy itself finds out whether the log reaches back to it. */
async function loadState(
  { copy, signal }: IndexContext,
  snapshots: ChangeSnapshots,
  version: string | undefined,
  refreshed_at_ms: number,
): Promise<State | undefined> {
  const index = await copy?.load(
    { threads: countThreads(), version, isInLog: (copied) => hasEveryChange(copied, toMarks(snapshots)) },
    signal,
  );
  if (!index) return undefined;
  const scanner = openScanner(index.population);
  return { scanner, version, snapshots: toSnapshots(index.marks), refreshed_at_ms };
}

function countThreads(): number {
  return 1 + Math.min(threads_max, availableParallelism());
}

async function buildScanner(
  { database, part, signal }: IndexContext,
  version: string | undefined,
): Promise<Scanner> {
  const population = createPopulation({ threads: countThreads() });
  for (let after: string | undefined = nil_uuid; after !== undefined;) {
    signal.throwIfAborted();
    const vectors = await listVectors(database, version, after, batch_members, part);
    for (const vector of vectors) upsertMember(population, vector.member_id, vector);
    after = vectors.length === batch_members ? vectors.at(-1)?.member_id : undefined;
  }
  return openScanner(population);
}

/** Reads the changes since the snapshots, node by node and page by page, and updates the members that they name. */
async function applyChanges(
  source: IndexContext,
  state: State,
  runInSequence: SequentialRunner,
): Promise<void> {
  for (const snapshot of state.snapshots) await applyNodeChanges(source, state, snapshot, runInSequence);
}

async function applyNodeChanges(
  { database, part, signal }: IndexContext,
  { scanner, version }: State,
  snapshot: readonly [node: string, snapshot: string],
  runInSequence: SequentialRunner,
): Promise<void> {
  const { population } = scanner;
  let page: readonly Change[] = [];
  do {
    signal.throwIfAborted();
    page = await listChanges(database, snapshot, page.at(-1), page_changes);
    const changes = part ? page.filter(({ member_id }) => isInShard(part, member_id)) : page;
    const member_ids = [...new Set(changes.flatMap((change) => listChangedIds(population, change)))];
    for (let from = 0; from < member_ids.length; from += batch_members) {
      const batch = member_ids.slice(from, from + batch_members);
      const vectors = await listMemberVectors(database, version, batch);
      await runInSequence(async () => applyVectors(population, batch, vectors));
    }
  } while (page.length === page_changes);
}

function listChangedIds({ ids }: Population, { member_id, is_erased }: Change): readonly string[] {
  if (!is_erased) return [member_id];
  const tail = Number.parseInt(member_id.slice(-8), 16);
  return listPositionsByTail(ids, tail).map((position) => readId(ids, position));
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

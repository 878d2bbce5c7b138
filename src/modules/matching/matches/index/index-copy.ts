import { randomUUID, createHash } from 'node:crypto';
import { createSequentialRunner } from '#lib/concurrency/sequential-runner.ts';
import { formatIndexShard, type IndexShard } from '#lib/concurrency/index-shard.ts';
import type { Platform } from '#platform/platform.ts';
import type { ChangeMarks } from './store-changes.ts';
import type { Population } from '#modules/matching/engine';
import { CopyError, locateCopy, openCopy, writeDraft, type CopyDraft, type CopyPlace } from './copy-file.ts';
import { computeIndexVersion } from './index-version.ts';
import { findCopy, insertCopy } from './store-copies.ts';

/** The contents of an index: all changes before the marks, and possibly later ones. */
export type CopiedIndex = {
  readonly population: Population;
  readonly marks: ChangeMarks;
  /** The version of the parameters whose vectors it contains; undefined as long as there is only one. */
  readonly version: string | undefined;
};

/** The copy of an index in the data directory, from which a later start continues. */
export type IndexCopy = {
  /**
   * Loads the copy; undefined if there is none, or if it cannot be used, which the log then says. The caller must
   * follow it from its marks.
   */
  load(wanted: WantedIndex, signal: AbortSignal): Promise<CopiedIndex | undefined>;
  /**
   * Saves an index, unless the saved copy is recent enough. Never rejects: a copy that cannot be saved is reported in the log and tried again
   * later. `runExclusively` runs the part during which the population must not change.
   */
  save(
    occasion: SaveOccasion,
    runExclusively: RunExclusively,
    readIndex: () => CopiedIndex | undefined,
  ): Promise<void>;
};

/** What an index must be like to be used. `isInLog` says whether the change log reaches back to its marks. */
export type WantedIndex = {
  readonly threads: number;
  readonly version: string | undefined;
  readonly isInLog: (marks: ChangeMarks) => boolean;
};

/** `refresh`: the index may have changed. `close`: the process stops. */
export type SaveOccasion = 'refresh' | 'close';

type RunExclusively = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** What the last copy contains, and when it was saved. */
type SavedState = { readonly population: Population; readonly revision: number; readonly at_ms: number };

/** How long an erased member may still be in the file while a worker runs, and how often the file is written at most. */
const save_every_ms = 10 * 60_000;
/** An unchanged copy is saved again, because the change log reaches back to a recent copy only. */
const renew_every_ms = 3 * 3_600_000;
/** Saving takes at most one percent of the time, however large the index is. */
const pause_factor = 100;

type Source = Pick<Platform, 'database' | 'now' | 'log'>;

/** Opens the copy of an index, or of a part of one, in a directory. Nothing is read before it is needed. */
export function openIndexCopy(source: Source, directory: string, part?: IndexShard): IndexCopy {
  const place = { directory, part };
  let saved: SavedState | undefined;
  let pause_ms = save_every_ms;
  const runInSequence = createSequentialRunner();
  const recordSave = (population: Population) => {
    saved = { population, revision: population.revision, at_ms: source.now().getTime() };
  };
  return {
    load: async (wanted, signal) => {
      const index = await loadCopy(source, place, { ...wanted, signal });
      if (index) recordSave(index.population);
      return index;
    },
    save: (occasion, runExclusively, readIndex) =>
      runInSequence(async () => {
        const index = readIndex();
        if (
          !index ||
          !isDue(saved, index.population, { age_ms: computeAge(source, saved), pause_ms, occasion })
        )
          return;
        const began_ms = source.now().getTime();
        try {
          const draft = await runExclusively(() => writeCopy(source, place, readIndex, recordSave));
          await draft?.publish();
        } catch (error) {
          // Tried again after the pause.
          saved = { population: index.population, revision: -1, at_ms: source.now().getTime() };
          source.log.warn({ err: error, file: locateCopy(place) }, 'the match index cannot be saved');
        }
        pause_ms = Math.max(save_every_ms, pause_factor * (source.now().getTime() - began_ms));
      }),
  };
}

function computeAge({ now }: Source, saved: SavedState | undefined): number {
  return saved ? now().getTime() - saved.at_ms : Infinity;
}

function isDue(
  saved: SavedState | undefined,
  population: Population,
  { age_ms, pause_ms, occasion }: { age_ms: number; pause_ms: number; occasion: SaveOccasion },
): boolean {
  const isChanged = saved?.population !== population || saved.revision !== population.revision;
  if (occasion === 'close') return isChanged || age_ms >= save_every_ms;
  return isChanged ? age_ms >= pause_ms : age_ms >= renew_every_ms;
}

/**
 * Writes the index as it is now. The database records the copy first: a database that was restored to a time before that record does not
 * know the copy, and one that was restored to a later time has everything that the copy contains.
 */
async function writeCopy(
  { database, now }: Source,
  place: CopyPlace,
  readIndex: () => CopiedIndex | undefined,
  recordSave: (population: Population) => void,
): Promise<CopyDraft | undefined> {
  const index = readIndex();
  if (!index) return undefined;
  const { population, marks } = index;
  const id = randomUUID();
  await insertCopy(database, id);
  const version = await computeCopyVersion(index.version, place.part);
  const draft = await writeDraft(
    place,
    { id, version, marks: [...marks].map(([node, mark]) => [node, mark]) },
    population,
    now(),
  );
  recordSave(population);
  return draft;
}

type LoadOptions = WantedIndex & { readonly signal: AbortSignal };

async function loadCopy(
  source: Source,
  place: CopyPlace,
  { threads, version: wanted, isInLog, signal }: LoadOptions,
): Promise<CopiedIndex | undefined> {
  try {
    await using copy = await openCopy(place);
    if (!copy) return undefined;
    const { id, version, marks, members } = copy.header;
    if (version !== (await computeCopyVersion(wanted, place.part)))
      throw new CopyError('another version saved it, or lists use other vectors now');
    const known = await findCopy(source.database, id);
    if (!known) throw new CopyError('another database saved it, or a later state of this one');
    if (!known.is_recent) throw new CopyError('it is older than twelve hours');
    if (!isInLog(new Map(marks)))
      throw new CopyError('the nodes of the database have changed, or one was restored');
    const population = await copy.readPopulation(threads, signal);
    source.log.info({ members }, 'the match index was loaded from its copy');
    return { population, marks: new Map(marks), version: wanted };
  } catch (error) {
    if (!(error instanceof CopyError)) throw error;
    source.log.warn(
      { reason: error.message, file: locateCopy(place) },
      'the copy of the match index cannot be used, and the index is built again',
    );
    return undefined;
  }
}

/** Computes what must be the same for a copy to be that of this index: its form, the version of the vectors, and the part. */
async function computeCopyVersion(
  vectors: string | undefined,
  part: IndexShard | undefined,
): Promise<string> {
  const hash = createHash('sha256').update(await computeIndexVersion());
  hash.update(JSON.stringify([vectors ?? null, part ? formatIndexShard(part) : null]));
  return hash.digest('hex');
}

import { loadTraitNorms, type TraitNorms } from '#modules/measurement/traits';
import { matchJobs, type JobMatch } from '#modules/matching/engine';
import type { Reader } from '#platform/database/database.ts';
import type { TaskContext } from '#platform/queue/task.ts';
import { Postponement } from '#platform/queue/postponement.ts';
import { computeIndexVersion } from '../index/index-version.ts';
import { getMatchIndex } from '../index/match-index.ts';
import { findChangeSnapshots, type ChangeSnapshots } from '../index/store-changes.ts';
import { listRecentNodes } from '../index/store-nodes.ts';
import { findListedVersion } from '../index/store-vectors.ts';
import { askParts } from './ask-parts.ts';
import type { AskedJob } from './part-question.ts';
import { selectParts, type IndexPart } from './select-parts.ts';

/** A search over all deployed members: in the memory of this process, or in those of the processes that hold the parts of the index. */
export type Search = {
  /** The version of the parameters whose vectors are compared; undefined as long as there is only one. */
  readonly version: string | undefined;
  /** The norms of that version. */
  readonly norms: TraitNorms;
  /** The search covers every change that is visible in them, and possibly later ones. */
  readonly snapshots: ChangeSnapshots;
  /** How many members there are. */
  readonly members: number;
  /** Finds the best members for each job. */
  findShortlists(jobs: readonly AskedJob[]): Promise<readonly (readonly JobMatch[])[]>;
};

/** Opens a search over everything that was committed before the call. @throws Postponement if a part of the index cannot be asked. */
export async function openSearch(context: TaskContext): Promise<Search> {
  if (context.config.indexShard) return openPartSearch(context);
  const index = getMatchIndex(context);
  await index.refresh();
  const version = index.getVersion();
  const norms = await loadTraitNorms(context, context.database, version);
  return {
    version,
    norms,
    snapshots: index.getSnapshots(),
    members: index.countMembers(),
    findShortlists: (jobs) =>
      matchJobs(
        index,
        jobs.map((job) => ({ ...job, norms })),
      ),
  };
}

/** Each part reads the changes again before it answers, so all of them have at least those of the snapshots, which are taken first. */
async function openPartSearch(context: TaskContext): Promise<Search> {
  const { database } = context;
  const snapshots = await findChangeSnapshots(database);
  const { version } = await findListedVersion(database);
  const parts = await findParts(database);
  const shared = { version: await computeIndexVersion(), vectors: version ?? null };
  return {
    version,
    norms: await loadTraitNorms(context, database, version),
    snapshots,
    members: addUpMembers(parts),
    findShortlists: (jobs) => askParts(context, parts, { ...shared, jobs: [...jobs] }),
  };
}

async function findParts(database: Reader): Promise<readonly IndexPart[]> {
  const selection = selectParts(await listRecentNodes(database), await computeIndexVersion());
  if ('reason' in selection) throw new Postponement(selection.reason);
  return selection.parts;
}

function addUpMembers(parts: readonly IndexPart[]): number {
  return parts.reduce((sum, { members }) => sum + members, 0);
}

/** Counts the members of a search, as far as that is known without waiting for the index. @throws Postponement like {@link openSearch}. */
export async function countSearchedMembers({
  config,
  database,
  memory,
}: Pick<TaskContext, 'config' | 'database' | 'memory'>): Promise<number> {
  if (!config.indexShard) return getMatchIndex({ memory }).countMembers();
  return addUpMembers(await findParts(database));
}

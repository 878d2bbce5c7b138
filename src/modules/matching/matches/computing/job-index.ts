import { createSequentialRunner } from '#lib/concurrency/sequential-runner.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';
import {
  computeFitWeights,
  createPackedJobs,
  pickJobTerms,
  removeJob,
  upsertJob,
  type PackedJobs,
} from '#modules/matching/engine';
import { listOfferedJobs } from '#modules/matching/jobs';
import { loadTraitNorms, type TraitNorms } from '#modules/measurement/traits';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { applyPolicy, type FitPolicy } from '../policies/rules.ts';
import { findLivePolicy } from '../policies/store.ts';
import { refresh_gap_max_ms } from '../index/match-index.ts';
import {
  findChangeSnapshots,
  hasEveryChange,
  listJobChanges,
  toMarks,
  type ChangeSnapshots,
  type JobChange,
} from '../index/store-changes.ts';
import { pickListEnd } from './list-ends.ts';
import { findListedVersion, type ListedVersion } from '../index/store-vectors.ts';
import { listSuspendedIds } from '../store.ts';

/** All active jobs as they are offered to a member, and what their weights were computed with. */
export type OfferedJobs = {
  readonly packed: PackedJobs;
  /** Organisations that are suspended. Their jobs are among the others, and find nobody. */
  readonly suspended: ReadonlySet<string>;
  readonly policy_version: number;
  readonly listed: ListedVersion;
};

/**
 * All active jobs in memory. Every process that computes matches has its own, which is read when it is first needed and then follows the changes
 * in the database, like the index of members.
 */
export type JobIndex = {
  /** Runs work on the jobs, with everything that was committed before the call. They do not change until it ends. */
  runWithJobs<Result>(work: (jobs: OfferedJobs) => Promise<Result>): Promise<Result>;
};

/** Returns the index of a running service. */
export const getJobIndex = instanceMemory((platform): JobIndex => {
  let state: State | undefined;
  const runInSequence = createSequentialRunner();
  return {
    runWithJobs: (work) =>
      runInSequence(async () => {
        // An index whose refresh has failed half way is read again, because it may have missed a change.
        const before = state;
        state = undefined;
        state = await refreshState(platform, before);
        return work(state);
      }),
  };
});

type State = OfferedJobs & {
  readonly weighting: Weighting;
  readonly snapshots: ChangeSnapshots;
  readonly refreshed_at_ms: number;
};

/** What the weights of jobs follow from, apart from the jobs. */
type Weighting = {
  readonly policy: FitPolicy & { readonly version: number };
  readonly norms: TraitNorms;
  readonly listed: ListedVersion;
};

type Source = Pick<Platform, 'database' | 'now' | 'memory'>;

async function refreshState(source: Source, before: State | undefined): Promise<State> {
  const { database } = source;
  const refreshed_at_ms = source.now().getTime();
  // Read first: what commits afterwards is not visible in them, so that the next refresh reads it.
  const snapshots = await findChangeSnapshots(database);
  const listed = await findListedVersion(database);
  const policy = await findLivePolicy(database);
  const suspended = new Set(await listSuspendedIds(database));
  const isUsable =
    before &&
    before.policy_version === policy.version &&
    before.listed.version === listed.version &&
    refreshed_at_ms - before.refreshed_at_ms < refresh_gap_max_ms &&
    hasEveryChange(toMarks(before.snapshots), toMarks(snapshots));
  if (isUsable) await applyJobChanges(source, before);
  const weighting = { policy, listed, norms: await loadTraitNorms(source, database, listed.version) };
  const packed = isUsable ? before.packed : await readJobs(source, weighting);
  return { packed, suspended, policy_version: policy.version, listed, weighting, snapshots, refreshed_at_ms };
}

const page_jobs = 500;

async function readJobs({ database }: Source, weighting: Weighting): Promise<PackedJobs> {
  const packed = createPackedJobs();
  for (let after: string | undefined = nil_uuid; after !== undefined;) {
    const jobs = await listOfferedJobs(database, { after, limit: page_jobs });
    for (const job of jobs) addJob(packed, job, weighting);
    after = jobs.length === page_jobs ? jobs.at(-1)?.id : undefined;
  }
  return packed;
}

async function applyJobChanges({ database }: Source, { packed, weighting, snapshots }: State): Promise<void> {
  for (const snapshot of snapshots) {
    let page: readonly JobChange[] = [];
    do {
      page = await listJobChanges(database, snapshot, page.at(-1), page_jobs);
      if (page.length === 0) break;
      const changed = new Set(page.map(({ job_id }) => job_id));
      for (const job of await listOfferedJobs(database, { ids: [...changed] })) {
        addJob(packed, job, weighting);
        changed.delete(job.id);
      }
      for (const job_id of changed) removeJob(packed, job_id);
    } while (page.length === page_jobs);
  }
}

type OfferedJob = Awaited<ReturnType<typeof listOfferedJobs>>[number];

function addJob(packed: PackedJobs, job: OfferedJob, { policy, norms, listed }: Weighting): void {
  const { id, org_id, version, list_end } = job;
  // The organisation's values only influence the order within a shortlist, which a member's computation does not decide.
  const terms = pickJobTerms(job, null);
  const basis = { version, policy_version: policy.version, listed_version: listed.version };
  upsertJob(
    packed,
    { id, org_id, version, terms, end: pickListEnd(list_end, basis) },
    computeFitWeights(applyPolicy(policy, job), norms),
  );
}

import { nil_uuid } from '#lib/nil-uuid.ts';
import { listActiveJobs, lockActiveJobs, type Job } from '#modules/jobs';
import type { Transaction } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import { serialiseRequirements, buildNewMatch } from './compute-job-matches.ts';
import { computeStandardWeights } from '../engine/fit.ts';
import { areCompatible, type JobTerms } from '../engine/terms.ts';
import { measureMatch, shortlistLimits, type JobMatch } from '../engine/shortlist.ts';
import {
  deleteExcessMatches,
  deletePendingMemberMatches,
  deleteUnseenWithdrawals,
  listMatchedJobs,
  upsertMatches,
  withdrawMatches,
} from '../store.ts';
import { lockComputation, lockVector, type MemberVector } from './store-vectors.ts';

/**
 * Computes one member's matches with all active jobs, when the member was deployed, measured anew or undeployed; a member who is not
 * deployed has their open matches withdrawn.
 *
 * A job takes a newcomer of moderate or better, the tiers that {@link matchJob} keeps whatever the rest of the population is like. Whether
 * a `developing` one is among the best 200 only a computation of the job can tell. Where the shortlist is full, the lowest tier gives way.
 * A pending match of a member who no longer fits better than average is deleted, as the job's own computation would.
 */
export const computeMemberMatches = task<{ readonly member_id: string }>({
  name: 'matching.computeMemberMatches',
  retry_seconds: [5, 30, 120],
  run: async ({ database, now, signal }, { member_id }) => {
    const began_at = now();
    for (let after: string | undefined = nil_uuid; after !== undefined;) {
      signal.throwIfAborted();
      const from: string = after;
      after = await database.transaction((tx) => computeBatch(tx, { member_id, after: from, began_at }));
    }
  },
});

const batch_jobs = 500;

type Batch = { readonly member_id: string; readonly after: string; readonly began_at: Date };

/** One batch of jobs; @returns the last job's id where there may be more. */
async function computeBatch(
  tx: Transaction,
  { member_id, after, began_at }: Batch,
): Promise<string | undefined> {
  await lockComputation(tx, member_id);
  const vector = await lockVector(tx, member_id);
  if (!vector) {
    await withdrawMatches(tx, member_id);
    return undefined;
  }
  if (after === nil_uuid) await deleteUnseenWithdrawals(tx, member_id);
  const jobs = await listActiveJobs(tx, after, batch_jobs);
  await storeMemberMatches(
    tx,
    member_id,
    jobs.map((job) => measureJob(vector, job)),
    began_at,
  );
  return jobs.length === batch_jobs ? jobs.at(-1)!.id : undefined;
}

type MeasuredJob = { readonly job: Job; readonly match: JobMatch; readonly fits: boolean };

function measureJob(vector: MemberVector, job: Job): MeasuredJob {
  // The values of the organisation move a member's place in a job's own choice, which is not made here.
  const terms: JobTerms = { ...job, values: null };
  const match = measureMatch(vector, { weights: computeStandardWeights(job.trait_priorities), terms });
  return { job, match, fits: match.fit.mean > 0 && areCompatible(terms, vector.terms) };
}

async function storeMemberMatches(
  tx: Transaction,
  member_id: string,
  all: readonly MeasuredJob[],
  began_at: Date,
): Promise<void> {
  const toJobIds = (some: readonly MeasuredJob[]) => some.map(({ job }) => job.id);
  const unfit = all.filter(({ fits }) => !fits);
  await deletePendingMemberMatches(tx, member_id, toJobIds(unfit), began_at);
  const matched = new Set(await listMatchedJobs(tx, member_id, toJobIds(all)));
  const kept = all.filter(
    ({ job, match, fits }) => matched.has(job.id) || (fits && match.quality !== 'developing'),
  );
  // Only the jobs that gain or keep a match are held. One that was changed meanwhile has a computation of its own ahead.
  const held = new Map(
    (await lockActiveJobs(tx, toJobIds(kept))).map((job) => [job.id, serialiseRequirements(job)]),
  );
  const gained = await upsertMatches(
    tx,
    kept
      .filter(({ job }) => held.get(job.id) === serialiseRequirements(job))
      .map(({ job, match }) => buildNewMatch(job, match)),
    began_at,
  );
  await deleteExcessMatches(tx, gained, shortlistLimits.matches);
}

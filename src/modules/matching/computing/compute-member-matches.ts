import { nil_uuid } from '#lib/nil-uuid.ts';
import { listActiveJobs, lockActiveJobs, type Job } from '#modules/jobs';
import { lockMember, mayKeepMatches } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import { computeStandardWeights } from '../engine/fit.ts';
import { measureMatch, shortlistLimits, type JobMatch } from '../engine/shortlist.ts';
import { areCompatible, type JobTerms } from '../engine/terms.ts';
import {
  deleteExcessMatches,
  deletePendingMemberMatches,
  deleteUnseenWithdrawals,
  listMatchedJobs,
  upsertMatches,
  withdrawMatches,
} from '../store.ts';
import { buildNewMatch, serialiseRequirements } from './compute-job-matches.ts';
import { lockComputation, lockVector, type MemberVector } from './store-vectors.ts';

/**
 * Computes the matches of one member with all active jobs, after the member was deployed or measured again. If the member has withdrawn a
 * consent or asked for deletion, the open matches are withdrawn. If the member is not deployed for another reason, for example an incomplete
 * profile, matching is paused and the matches do not change.
 *
 * Only matches of the tier moderate or better are added, because {@link matchJobs} lists these regardless of other members. Whether a
 * `developing` match is among the best 200 can only be decided by a computation of the job. If a shortlist becomes too long, matches of
 * its lowest tier are deleted. A pending match whose fit is no longer above average is deleted, as in a computation of the job.
 */
export const computeMemberMatches = task<{ readonly member_id: string }>({
  name: 'matching.computeMemberMatches',
  retry_seconds: [5, 30, 120],
  group_by: ({ member_id }) => member_id,
  merge_by: ({ member_id }) => member_id,
  run: async ({ database, now, signal }, { member_id }) => {
    const began_at = now();
    for (let after: string | undefined = nil_uuid; after !== undefined;) {
      signal.throwIfAborted();
      const batch: Batch = { member_id, after, began_at };
      after = await database.transaction((tx) => computeBatch(tx, batch));
    }
  },
});

const batch_jobs = 500;

type Batch = { readonly member_id: string; readonly after: string; readonly began_at: Date };

/** Computes one batch of jobs. @returns the id of its last job if there may be more. */
async function computeBatch(
  tx: Transaction,
  { member_id, after, began_at }: Batch,
): Promise<string | undefined> {
  await lockComputation(tx, member_id);
  const vector = await lockVector(tx, member_id);
  if (!vector) {
    const member = await lockMember(tx, member_id);
    if (member && !mayKeepMatches(member)) await withdrawMatches(tx, member_id);
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
  return jobs.length === batch_jobs ? jobs.at(-1)?.id : undefined;
}

type MeasuredJob = { readonly job: Job; readonly match: JobMatch; readonly fits: boolean };

function measureJob(vector: MemberVector, job: Job): MeasuredJob {
  // The organisation's values only influence the order within a shortlist, which is not computed here.
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
  const toJobIds = (jobs: readonly MeasuredJob[]) => jobs.map(({ job }) => job.id);
  const unfit = all.filter(({ fits }) => !fits);
  await deletePendingMemberMatches(tx, member_id, toJobIds(unfit), began_at);
  const matched = new Set(await listMatchedJobs(tx, member_id, toJobIds(all)));
  const candidates = all.filter(
    ({ job, match, fits }) => matched.has(job.id) || (fits && match.quality !== 'developing'),
  );
  // Only jobs that get or already have a match are locked. For a job that has changed meanwhile, another computation is queued.
  const requirements = new Map(
    (await lockActiveJobs(tx, toJobIds(candidates))).map((job) => [job.id, serialiseRequirements(job)]),
  );
  const gaining_job_ids = await upsertMatches(
    tx,
    candidates
      .filter(({ job }) => requirements.get(job.id) === serialiseRequirements(job))
      .map(({ job, match }) => buildNewMatch(job, match)),
    began_at,
  );
  await deleteExcessMatches(tx, gaining_job_ids, shortlistLimits.matches);
}

import { nil_uuid } from '#lib/nil-uuid.ts';
import { listActiveJobs, lockActiveJobs, type Job } from '#modules/matching/jobs';
import { lockMemberShared, mayKeepMatches } from '#modules/people/members';
import { loadTraitNorms, updateTraitStakes, type TraitNorms } from '#modules/measurement/traits';
import type { Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import {
  type FitWeights,
  type JobMatch,
  type JobTerms,
  type MatchQuality,
  areCompatible,
  computeFitWeights,
  computeTraitStakes,
  measureMatch,
  shortlistLimits,
} from '#modules/matching/engine';
import { announceEnds } from '../announcing/announce-ends.ts';
import { matchWithdrawn } from '../events.ts';
import { applyPolicy, type FitPolicy } from '../policies/rules.ts';
import { findLivePolicy } from '../policies/store.ts';
import { forgetUnseenWithdrawals, hasOpenMatch, withdrawMatches } from '../store-member-matches.ts';
import {
  countOpenTiers,
  deletePendingMatches,
  insertMatches,
  listExcessMatches,
  listMatchesWithJobs,
  updateLabels,
  type MatchKey,
  type MatchLog,
} from '../store.ts';
import { buildNewMatch, isCurrent, isOutdated, updateMatchLabels } from './compute-job-matches.ts';
import { findListedVersion, lockComputation, lockVector, type MemberVector } from '../index/store-vectors.ts';

/**
 * Computes the matches of one member with all active jobs, after the member was deployed or measured again. If the member has withdrawn a
 * consent or asked for deletion, the open matches are withdrawn. If the member is not deployed for another reason, for example an incomplete
 * profile, matching is paused and the matches do not change.
 *
 * Only matches of the tier moderate or better are added, because {@link matchJobs} lists these regardless of other members. Whether a
 * `developing` match is among the best 200 can only be decided by a computation of the job. If a shortlist becomes too long, matches of
 * its lowest tier are deleted. A pending match whose fit is no longer above average is deleted, as in a computation of the job. A member who
 * then has no open match gets the best ones of any tier.
 */
export const computeMemberMatches = task<{ readonly member_id: string }>({
  name: 'matches.computeMemberMatches',
  retry_seconds: [5, 30, 120],
  group_by: ({ member_id }) => member_id,
  merge_by: ({ member_id }) => member_id,
  run: async (context, { member_id }) => {
    const { database, now, signal } = context;
    const began_at = now();
    let best: readonly MeasuredJob[] = [];
    let stakes: readonly number[] | undefined;
    for (let after: string | undefined = nil_uuid; after !== undefined;) {
      signal.throwIfAborted();
      const batch: Batch = { member_id, after, began_at };
      const result = await database.transaction((tx) => computeBatch(context, tx, batch));
      best = selectBest([...best, ...result.measured]);
      stakes = addStakes(stakes, result.measured);
      after = result.last;
    }
    if (best.length === 0) return;
    await database.transaction((tx) => fillEmptyList(tx, member_id, best, began_at));
    await database.transaction((tx) => updateTraitStakes(tx, member_id, stakes!));
  },
});

/** Adds what is at stake for the compatible jobs, for the items that deepen the member's assessment. */
function addStakes(
  stakes: readonly number[] | undefined,
  measured: readonly MeasuredJob[],
): readonly number[] {
  const added = computeTraitStakes(
    measured
      .filter(({ compatible }) => compatible)
      .map(({ weights, match }) => ({ weights, fit: match.fit })),
  );
  return added.map((stake, slot) => stake + (stakes?.[slot] ?? 0));
}

/** How many matches a member gets whose list would otherwise be empty. */
const fewest_matches = 5;

/** Selects the compatible jobs that suit the member best. */
function selectBest(measured: readonly MeasuredJob[]): readonly MeasuredJob[] {
  return measured
    .filter(({ compatible }) => compatible)
    .toSorted((one, other) => other.match.choice - one.match.choice)
    .slice(0, fewest_matches);
}

/**
 * Adds the matches that suit a member best, whatever their tier, if the member has no open match, so that no list is empty while there
 * is a job that the member may have. A computation of the job may delete them again; `fillEmptyLists` then adds others.
 */
async function fillEmptyList(
  tx: Transaction,
  member_id: string,
  best: readonly MeasuredJob[],
  began_at: Date,
): Promise<void> {
  await lockComputation(tx, member_id);
  const { version, since } = await findListedVersion(tx);
  if (!(await lockVector(tx, version, member_id)) || (await hasOpenMatch(tx, member_id))) return;
  const locked = new Map(
    (
      await lockActiveJobs(
        tx,
        best.map(({ job }) => job.id),
      )
    ).map((job) => [job.id, job]),
  );
  const current = best.filter(({ job }) => isListed(locked.get(job.id), job, { began_at, since }));
  const tiers = await readTiers(tx, current);
  await insertMatches(
    tx,
    current.map(({ job, match, policy_version }) =>
      buildNewMatch(job, match, {
        policy_version,
        tier_candidates: 1 + countTier(tiers, job.id, match.quality),
      }),
    ),
    began_at,
  );
}

const batch_jobs = 500;

type Batch = { readonly member_id: string; readonly after: string; readonly began_at: Date };

type BatchResult = {
  readonly measured: readonly MeasuredJob[];
  /** The id of the last job, if there may be more. */
  readonly last: string | undefined;
};

/** Computes one batch of jobs. */
async function computeBatch(
  context: Pick<TaskContext, 'memory' | 'secrets' | 'queue'>,
  tx: Transaction,
  { member_id, after, began_at }: Batch,
): Promise<BatchResult> {
  await lockComputation(tx, member_id);
  const { version, since } = await findListedVersion(tx);
  const vector = await lockVector(tx, version, member_id);
  if (!vector) {
    // Not exclusively: a computation of a job that has locked a match may need a reference to the member.
    const member = await lockMemberShared(tx, member_id);
    if (member && !mayKeepMatches(member))
      await announceEnds(context, tx, matchWithdrawn, await withdrawMatches(tx, member_id));
    return { measured: [], last: undefined };
  }
  if (after === nil_uuid) await forgetUnseenWithdrawals(tx, member_id);
  const jobs = await listActiveJobs(tx, after, batch_jobs);
  const basis = { policy: await findLivePolicy(tx), norms: await loadTraitNorms(context, tx, version) };
  const measured = jobs.map((job) => measureJob(vector, job, basis));
  await storeMemberMatches(tx, member_id, measured, { began_at, since });
  return { measured, last: jobs.length === batch_jobs ? jobs.at(-1)?.id : undefined };
}

type MeasuredJob = {
  readonly job: Job;
  readonly policy_version: number;
  /** The weights of the job under the policy. */
  readonly weights: FitWeights;
  readonly match: JobMatch;
  readonly compatible: boolean;
  /** Compatible, with a fit above average. */
  readonly fits: boolean;
};

function measureJob(
  vector: MemberVector,
  job: Job,
  { policy, norms }: { readonly policy: FitPolicy; readonly norms: TraitNorms },
): MeasuredJob {
  // The organisation's values only influence the order within a shortlist, which is not computed here.
  const terms: JobTerms = { ...job, values: null };
  const weights = computeFitWeights(applyPolicy(policy, job), norms);
  const match = measureMatch(vector, { weights, terms });
  const compatible = areCompatible(terms, vector.terms);
  const fits = match.fit.mean > 0 && compatible;
  return { job, policy_version: policy.version, weights, match, compatible, fits };
}

/** When this computation began, and since when lists use their version of the vectors; undefined as long as there is only one. */
type ComputationTimes = { readonly began_at: Date; readonly since: Date | undefined };

/**
 * Says whether a job is still what was computed, and its list was computed with the vectors that lists use now. Another list waits for the
 * computation of all jobs, and must not mix two versions until then.
 */
function isListed(stored: Job | undefined, computed: Job, { began_at, since }: ComputationTimes): boolean {
  const computed_at = stored?.matches_computed_at;
  const isOfListedVersion = !since || !computed_at || computed_at >= since;
  return isOfListedVersion && isCurrent(stored, computed, began_at);
}

async function storeMemberMatches(
  tx: Transaction,
  member_id: string,
  all: readonly MeasuredJob[],
  times: ComputationTimes,
): Promise<void> {
  const { began_at } = times;
  const toJobIds = (jobs: readonly MeasuredJob[]) => jobs.map(({ job }) => job.id);
  const listed = await listMatchesWithJobs(tx, member_id, toJobIds(all));
  const stored = new Map(listed.map((match) => [match.job_id, match]));
  const candidates = all.filter(({ job, match, fits }) => stored.has(job.id) || isAddable(fits, match));
  // Only jobs that get or already have a match are locked. For a job that has changed meanwhile, another computation is queued. A computation
  // of the job that began later has covered the member.
  const locked = new Map((await lockActiveJobs(tx, toJobIds(candidates))).map((job) => [job.id, job]));
  const current = candidates.filter(({ job }) => isListed(locked.get(job.id), job, times));
  const outdated = current.flatMap(({ job }) => {
    const match = stored.get(job.id);
    return match && isOutdated(match, job) ? [match] : [];
  });
  for (const { job_id } of outdated) stored.delete(job_id);
  const unfit = current.filter(({ fits }) => !fits).flatMap(({ job }) => stored.get(job.id) ?? []);
  await deletePendingMatches(tx, [...outdated, ...unfit]);
  const added = current.filter(({ job, fits, match }) => !stored.has(job.id) && isAddable(fits, match));
  const tiers = await readTiers(tx, current);
  const logMatch = ({ job, match, policy_version }: MeasuredJob, others: number): MatchLog => ({
    policy_version,
    tier_candidates: Math.max(1, others + countTier(tiers, job.id, match.quality)),
  });
  const inserted = await insertMatches(
    tx,
    added.map((each) => buildNewMatch(each.job, each.match, logMatch(each, 1))),
    began_at,
  );
  await updateLabels(
    tx,
    current
      .filter(({ job, fits }) => fits || stored.get(job.id)?.match_status !== 'pending_review')
      .flatMap((each) => updateMatchLabels(each.job, stored.get(each.job.id), each.match, logMatch(each, 0))),
    began_at,
  );
  await deletePendingMatches(
    tx,
    await listExcessMatches(tx, toGainingJobs(inserted), shortlistLimits.matches),
  );
}

/** Reads how many open matches the jobs have in each tier, before the member's are stored. */
async function readTiers(
  tx: Transaction,
  jobs: readonly MeasuredJob[],
): Promise<ReadonlyMap<string, number>> {
  if (jobs.length === 0) return new Map();
  const counts = await countOpenTiers(
    tx,
    jobs.map(({ job }) => job.id),
  );
  return new Map(counts.map(({ job_id, match_quality, count }) => [`${job_id} ${match_quality}`, count]));
}

/** Counts the matches of a tier of a job. A list that is too long is shortened afterwards. */
function countTier(tiers: ReadonlyMap<string, number>, job_id: string, quality: MatchQuality): number {
  return Math.min(shortlistLimits.matches - 1, tiers.get(`${job_id} ${quality}`) ?? 0);
}

/** A computation of the member cannot decide which `developing` matches are among a job's best. */
function isAddable(fits: boolean, { quality }: JobMatch): boolean {
  return fits && quality !== 'developing';
}

function toGainingJobs(inserted: readonly MatchKey[]): readonly string[] {
  return [...new Set(inserted.map(({ job_id }) => job_id))];
}

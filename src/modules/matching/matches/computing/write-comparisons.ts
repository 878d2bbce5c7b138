import { isDeepStrictEqual } from 'node:util';
import { lockActiveJobs, type Job } from '#modules/matching/jobs';
import { lockMemberShared, mayKeepMatches } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { TaskContext } from '#platform/queue/task.ts';
import { type ComparedJob, measurePackedJob, canEnterList, shortlistLimits } from '#modules/matching/engine';
import { announceEnds } from '../announcing/announce-ends.ts';
import { matchWithdrawn } from '../events.ts';
import { forgetUnseenWithdrawals, listMatchesOfMembers, withdrawMatches } from '../store-member-matches.ts';
import {
  deletePendingMatches,
  insertMatches,
  listExcessMatches,
  updateLabels,
  type LabelledMatch,
} from '../store.ts';
import type { OfferedJobs } from './job-index.ts';
import {
  findListedVersion,
  lockComputations,
  lockVectors,
  type MemberVector,
} from '../index/store-vectors.ts';
import {
  buildNewMatch,
  computeJobMatches,
  isCurrent,
  isOutdated,
  updateMatchLabels,
} from './compute-job-matches.ts';
import { readTierCounts } from './tier-counts.ts';

/** A member with all or a part of the jobs that were found for them. */
export type ComparedMemberPart = {
  readonly member_id: string;
  /** What was compared; undefined if the member is not deployed or has no listed vector. */
  readonly vector: MemberVector | undefined;
  readonly found: readonly ComparedJob[];
  /** The ids of all jobs that were found, also those of other parts. */
  readonly found_ids: ReadonlySet<string>;
  /** Whether this part also stores what becomes of the other matches of the member. */
  readonly isFirst: boolean;
};

/**
 * Stores the matches of members with the jobs that were found for them, and what becomes of their other matches.
 *
 * @returns the members who have changed since they were compared, for whom nothing is stored; all, if lists have begun to use other vectors.
 */
export async function writeComparisons(
  context: TaskContext,
  tx: Transaction,
  jobs: OfferedJobs,
  { parts, began_at }: { readonly parts: readonly ComparedMemberPart[]; readonly began_at: Date },
): Promise<readonly string[]> {
  const member_ids = parts.map(({ member_id }) => member_id);
  await lockComputations(tx, member_ids);
  const { version, since } = await findListedVersion(tx);
  if (version !== jobs.listed.version) return member_ids;
  const locked = new Map(
    (await lockVectors(tx, version, member_ids)).map((vector) => [vector.member_id, vector]),
  );
  for (const member_id of member_ids)
    if (!locked.has(member_id)) await withdrawUndeployed(context, tx, member_id);
  const deployed = parts.filter(({ member_id }) => locked.has(member_id));
  const isUnchanged = ({ member_id, vector }: ComparedMemberPart) =>
    isDeepStrictEqual(vector, locked.get(member_id));
  const unchanged = deployed.filter(isUnchanged);
  await storePairs(context, tx, jobs, { parts: unchanged, began_at, since });
  return deployed.filter((part) => !isUnchanged(part)).map(({ member_id }) => member_id);
}

async function withdrawUndeployed(context: TaskContext, tx: Transaction, member_id: string): Promise<void> {
  // Not exclusively: a computation of a job that has locked a match may need a reference to the member.
  const member = await lockMemberShared(tx, member_id);
  if (member && !mayKeepMatches(member))
    await announceEnds(context, tx, matchWithdrawn, await withdrawMatches(tx, member_id));
}

/** Lists the matches of members, in any status, after the withdrawn ones on which no one had acted are forgotten. */
async function listReturningMatches(
  tx: Transaction,
  parts: readonly ComparedMemberPart[],
): Promise<readonly LabelledMatch[]> {
  const member_ids = parts.map(({ member_id }) => member_id);
  const matches = await listMatchesOfMembers(tx, member_ids);
  const withdrawn = new Set(
    matches.filter(({ match_status }) => match_status === 'withdrawn').map(({ member_id }) => member_id),
  );
  const returning = parts.filter(({ member_id, isFirst }) => isFirst && withdrawn.has(member_id));
  if (returning.length === 0) return matches;
  for (const { member_id } of returning) await forgetUnseenWithdrawals(tx, member_id);
  return listMatchesOfMembers(tx, member_ids);
}

/** When this computation began, and since when lists use their version of the vectors; undefined as long as there is only one. */
type ComputationTimes = { readonly began_at: Date; readonly since: Date | undefined };

/** A member's match with a job. `fits`: compatible, with a fit above average. */
type Pair = { readonly job: ComparedJob; readonly fits: boolean };

/** Locks the jobs of pairs, and lists the pairs whose job is as it was compared. For another one, another computation is queued. */
export async function listCurrentPairs(
  tx: Transaction,
  pairs: readonly Pair[],
  times: ComputationTimes,
): Promise<readonly Pair[]> {
  if (pairs.length === 0) return [];
  const job_ids = [...new Set(pairs.map(({ job }) => job.id))];
  const locked = new Map((await lockActiveJobs(tx, job_ids)).map((job) => [job.id, job]));
  return pairs.filter(({ job }) => isListed(locked.get(job.id), job, times));
}

/**
 * Says whether a job is still what was computed, and its list was computed with the vectors that lists use now. Another list waits for the
 * computation of all jobs, and must not mix two versions until then.
 */
function isListed(
  stored: Pick<Job, 'status' | 'version' | 'matches_computed_at'> | undefined,
  compared: ComparedJob,
  { began_at, since }: ComputationTimes,
): boolean {
  const computed_at = stored?.matches_computed_at;
  const isOfListedVersion = !since || !computed_at || computed_at >= since;
  return isOfListedVersion && isCurrent(stored, compared, began_at);
}

async function storePairs(
  context: TaskContext,
  tx: Transaction,
  jobs: OfferedJobs,
  { parts, ...times }: ComputationTimes & { readonly parts: readonly ComparedMemberPart[] },
): Promise<void> {
  if (parts.length === 0) return;
  const { began_at } = times;
  const { policy_version } = jobs;
  const matches = await listReturningMatches(tx, parts);
  const stored = new Map(matches.map((match) => [formatKey(match.member_id, match.job_id), match]));
  const findStored = ({ job }: Pair) => stored.get(formatKey(job.match.member_id, job.id));
  const othersByMember = Map.groupBy(matches, ({ member_id }) => member_id);
  const pairs = parts.flatMap((part) => listPairs(jobs, part, othersByMember.get(part.member_id) ?? []));
  // Only jobs that get or already have a match are locked. A computation of the job that began later has covered the member.
  const current = await listCurrentPairs(tx, pairs, times);
  const outdated = current.flatMap((pair) => {
    const match = findStored(pair);
    return match && isOutdated(match, pair.job) ? [match] : [];
  });
  for (const { member_id, job_id } of outdated) stored.delete(formatKey(member_id, job_id));
  const unfit = current.filter(({ fits }) => !fits).flatMap((pair) => findStored(pair) ?? []);
  await deletePendingMatches(tx, [...outdated, ...unfit]);
  const tiers = await readTierCounts(
    tx,
    current.map(({ job }) => job.id),
  );
  const relabelled = current
    .filter((pair) => pair.fits || findStored(pair)?.match_status !== 'pending_review')
    .flatMap((pair) => {
      const { id, match } = pair.job;
      const tier_candidates = Math.max(1, tiers.count(id, match.quality));
      return updateMatchLabels(pair.job, findStored(pair), match, { policy_version, tier_candidates });
    });
  const added = current
    .filter((pair) => !findStored(pair) && isAddable(pair))
    .map(({ job }) =>
      buildNewMatch(job, job.match, {
        policy_version,
        tier_candidates: tiers.add(job.id, job.match.quality),
      }),
    );
  const inserted = await insertMatches(tx, added, began_at);
  await updateLabels(tx, relabelled, began_at);
  const gaining = new Set(inserted.map(({ job_id }) => job_id));
  await shortenLists(
    context,
    tx,
    current.map(({ job }) => job).filter(({ id }) => gaining.has(id)),
  );
}

/** Deletes the excess of lists that have gained a match. Where a list that had room becomes too long, a computation of its job finds where it ends. */
async function shortenLists(
  { queue }: TaskContext,
  tx: Transaction,
  gaining: readonly ComparedJob[],
): Promise<void> {
  if (gaining.length === 0) return;
  const jobs = new Map(gaining.map((job) => [job.id, job]));
  const excess = await listExcessMatches(tx, [...jobs.keys()], shortlistLimits.matches);
  await deletePendingMatches(tx, excess);
  for (const job_id of new Set(excess.map((match) => match.job_id))) {
    const { end, org_id } = jobs.get(job_id)!;
    if (end === null) await queue.send(tx, computeJobMatches, { job_id, org_id });
  }
}

function formatKey(member_id: string, job_id: string): string {
  return `${member_id} ${job_id}`;
}

/** Lists the pairs of a part: the jobs that were found, and, once for each member, those of the other stored matches. */
function listPairs(
  { packed, suspended }: OfferedJobs,
  { vector, found, found_ids, isFirst }: ComparedMemberPart,
  matches: readonly LabelledMatch[],
): readonly Pair[] {
  const others = isFirst && vector ? matches.filter(({ job_id }) => !found_ids.has(job_id)) : [];
  return [
    ...found.map((job) => ({ job, fits: true })),
    ...others.flatMap(({ job_id }) => {
      const job = measurePackedJob(packed, vector!, job_id);
      return job && !suspended.has(job.org_id) ? [{ job, fits: job.fits }] : [];
    }),
  ];
}

/** A computation of members cannot decide which `developing` matches are among a job's best, nor which of those that do not reach the end of a full list. */
function isAddable({ job, fits }: Pair): boolean {
  const { end, match } = job;
  return fits && match.quality !== 'developing' && canEnterList(end, match);
}

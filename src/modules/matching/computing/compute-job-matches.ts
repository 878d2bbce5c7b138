import { randomUUID } from 'node:crypto';
import { findCultureProfile } from '#modules/culture';
import { findJob, lockJob, updateMatchesComputedAt, type Job } from '#modules/jobs';
import { lockDeployedMembers } from '#modules/members';
import type { Reader, Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { computeStandardWeights } from '../engine/fit.ts';
import { matchJobs, measureMatch, type JobMatch } from '../engine/shortlist.ts';
import type { JobTerms } from '../engine/terms.ts';
import { deletePendingJobMatches, listOpenMatches, upsertMatches, type NewMatch } from '../store.ts';
import { getMatchIndex, type MatchIndex } from './match-index.ts';
import { listMemberVectors } from './store-vectors.ts';

/**
 * Computes the matches of an active job over all deployed members and stores them. New matches are added as pending_review, open matches
 * get their new labels, and pending matches of members who are no longer on the shortlist are deleted. Matches that were decided or have
 * ended do not change.
 *
 * The computation holds no lock, because it may take long. Storing locks the job and is skipped if the job has changed meanwhile or a
 * later computation was stored first: every change of a job queues another computation.
 */
export const computeJobMatches = task<{ readonly job_id: string; readonly org_id: string }>({
  name: 'matching.computeJobMatches',
  retry_seconds: [5, 30, 120],
  group_by: ({ org_id }) => org_id,
  merge_by: ({ job_id }) => job_id,
  run: async (context, { job_id }) => {
    const job = await findJob(context.database, job_id);
    if (job?.status !== 'active') return undefined;
    const index = getMatchIndex(context);
    // One more than the number of members, so that the progress is complete only after the matches are stored.
    await context.reportProgress(0, index.countMembers() + 1);
    await computeMatchesForJobs(context, [job]);
    await context.reportProgress(index.countMembers(), index.countMembers());
    return { result_url: `${context.config.publicUrl}/api/v1/orgs/me/jobs/${job_id}/matches` };
  },
});

/** Computes and stores the matches of active jobs, like {@link computeJobMatches}, all in one pass over the members. */
export async function computeMatchesForJobs(context: TaskContext, jobs: readonly Job[]): Promise<void> {
  const { database, signal } = context;
  const began_at = context.now();
  const index = getMatchIndex(context);
  await index.refresh();
  const preparedJobs: PreparedJob[] = [];
  for (const job of jobs) preparedJobs.push(await prepareJob(database, index, job));
  signal.throwIfAborted();
  const shortlists = await matchJobs(
    index,
    preparedJobs.map(({ job, terms }) => ({ trait_priorities: job.trait_priorities, terms })),
  );
  for (const [place, prepared] of preparedJobs.entries()) {
    signal.throwIfAborted();
    const computed = { ...prepared, shortlist: shortlists[place]!, began_at };
    await database.transaction((tx) => storeJobMatches(tx, computed));
  }
}

type PreparedJob = {
  readonly job: Job;
  readonly terms: JobTerms;
  /** The members whose match was pending when the computation began, and whom the computation covers. */
  readonly pending: ReadonlySet<string>;
};

async function prepareJob(db: Reader, index: MatchIndex, job: Job): Promise<PreparedJob> {
  const member_ids = await listPendingMemberIds(db, job.id);
  const pending = new Set(member_ids.filter((member_id) => index.hasMember(member_id)));
  return { job, terms: await buildJobTerms(db, job), pending };
}

async function listPendingMemberIds(db: Reader, job_id: string): Promise<readonly string[]> {
  const open = await listOpenMatches(db, job_id);
  return toMemberIds(open.filter(({ match_status }) => match_status === 'pending_review'));
}

/** Collects what a job asks for and offers, with the values of its organisation. */
async function buildJobTerms(db: Reader, job: Job): Promise<JobTerms> {
  const profile = await findCultureProfile(db, job.org_id);
  return { ...job, values: profile?.cvf ?? null };
}

type ComputedShortlist = PreparedJob & { readonly shortlist: readonly JobMatch[]; readonly began_at: Date };

async function storeJobMatches(
  tx: Transaction,
  { job, terms, pending, shortlist, began_at }: ComputedShortlist,
): Promise<void> {
  if (!isCurrent(await lockJob(tx, job.id), job, began_at)) return;
  const listed = new Set(shortlist.map(({ member_id }) => member_id));
  const unlisted = (await listOpenMatches(tx, job.id)).filter(({ member_id }) => !listed.has(member_id));
  // Members whom this computation does not cover were deployed after it began, and have a computation of their own.
  const stale = unlisted.filter(
    ({ match_status, member_id }) => match_status === 'pending_review' && pending.has(member_id),
  );
  const engaged = unlisted.filter(({ match_status }) => match_status !== 'pending_review');
  const weights = computeStandardWeights(job.trait_priorities);
  const vectors = await listMemberVectors(tx, toMemberIds(engaged));
  const deployed = await lockDeployedMembers(tx, [...listed, ...toMemberIds(stale)]);
  const matches = [
    ...shortlist.filter(({ member_id }) => deployed.has(member_id)),
    ...vectors.map((vector) => measureMatch(vector, { weights, terms })),
  ];
  // A member who left level 4 during the computation may be missing from the shortlist for that reason alone.
  const unfit = toMemberIds(stale).filter((member_id) => deployed.has(member_id));
  await deletePendingJobMatches(tx, job.id, unfit, began_at);
  await upsertMatches(
    tx,
    matches.map((match) => buildNewMatch(job, match)),
    began_at,
  );
  await updateMatchesComputedAt(tx, job.id, began_at);
}

function toMemberIds(matches: readonly { readonly member_id: string }[]): readonly string[] {
  return matches.map(({ member_id }) => member_id);
}

function isCurrent(stored: Job | undefined, computed: Job, began_at: Date): boolean {
  return (
    stored?.status === 'active' &&
    serialiseRequirements(stored) === serialiseRequirements(computed) &&
    (stored.matches_computed_at === null || stored.matches_computed_at <= began_at)
  );
}

/** Serialises everything about a job that its matches depend on, for comparison. */
export function serialiseRequirements({
  trait_priorities,
  clearance_required,
  remote_policy,
  constraints,
  ...job
}: Job): string {
  const salary = [job.salary_min, job.salary_max, job.salary_currency];
  return JSON.stringify([trait_priorities, clearance_required, remote_policy, constraints, salary]);
}

/** Builds the match to store: it contains the labels, but not the numbers behind them. */
export function buildNewMatch(job: Job, { member_id, quality, confidence_level }: JobMatch): NewMatch {
  return {
    id: randomUUID(),
    member_id,
    job_id: job.id,
    org_id: job.org_id,
    match_quality: quality,
    confidence_level,
  };
}

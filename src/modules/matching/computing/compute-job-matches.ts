import { randomUUID } from 'node:crypto';
import { findCultureProfile } from '#modules/culture';
import { findJob, lockJob, updateMatchesComputedAt, type Job } from '#modules/jobs';
import { lockDeployedMembers } from '#modules/members';
import type { Reader, Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { computeStandardWeights } from '../engine/fit.ts';
import { getMatchIndex } from './match-index.ts';
import type { JobTerms } from '../engine/terms.ts';
import { matchJobs, measureMatch, type JobMatch } from '../engine/shortlist.ts';
import { deletePendingJobMatches, listOpenMatches, upsertMatches, type NewMatch } from '../store.ts';
import { listMemberVectors } from './store-vectors.ts';

/**
 * Computes the matches of an active job over all deployed members, and stores them: new members come in as pending_review, open matches
 * get their new labels, and whoever has left the shortlist with nobody having acted on the match leaves the table. What was decided or
 * has ended stays.
 *
 * The computation holds no lock, as it may take long. Storing does, on the job, and gives up where the job has changed meanwhile
 * or a later computation was faster: whoever changed the job has queued the next one.
 */
export const computeJobMatches = task<{ readonly job_id: string }>({
  name: 'matching.computeJobMatches',
  retry_seconds: [5, 30, 120],
  run: async (context, { job_id }) => {
    const job = await findJob(context.database, job_id);
    if (job?.status !== 'active') return undefined;
    const index = getMatchIndex(context);
    // Not complete before it is stored.
    await context.reportProgress(0, index.countMembers() + 1);
    await computeMatchesForJobs(context, [job]);
    await context.reportProgress(index.countMembers(), index.countMembers());
    return { result_url: `${context.config.publicUrl}/api/v1/orgs/me/jobs/${job_id}/matches` };
  },
});

/** Computes and stores the matches of active jobs, all in one pass over the members. What else it does, {@link computeJobMatches} says. */
export async function computeMatchesForJobs(context: TaskContext, jobs: readonly Job[]): Promise<void> {
  const { database, signal } = context;
  const began_at = context.now();
  const index = getMatchIndex(context);
  await index.refresh();
  const known: ReadonlySet<string>[] = [];
  const terms: JobTerms[] = [];
  for (const job of jobs) {
    const pending = await listPendingMemberIds(database, job.id);
    known.push(new Set(pending.filter((member_id) => index.hasMember(member_id))));
    terms.push(await buildJobTerms(database, job));
  }
  signal.throwIfAborted();
  const matched = jobs.map(({ trait_priorities }, at) => ({ trait_priorities, terms: terms[at]! }));
  const shortlists = await matchJobs(index, matched);
  for (const [at, job] of jobs.entries()) {
    signal.throwIfAborted();
    const computed = { job, terms: terms[at]!, known: known[at]!, shortlist: shortlists[at]!, began_at };
    await database.transaction((tx) => storeJobMatches(tx, computed));
  }
}

async function listPendingMemberIds(db: Reader, job_id: string): Promise<readonly string[]> {
  const open = await listOpenMatches(db, job_id);
  return open
    .filter(({ match_status }) => match_status === 'pending_review')
    .map(({ member_id }) => member_id);
}

/** What a job asks for and offers, with the values that its organisation's people describe. */
async function buildJobTerms(db: Reader, job: Job): Promise<JobTerms> {
  const profile = await findCultureProfile(db, job.org_id);
  return { ...job, values: profile?.cvf ?? null };
}

type ComputedShortlist = {
  readonly job: Job;
  readonly terms: JobTerms;
  /** Whose match nobody had acted on when the computation began, and whom it looked at. */
  readonly known: ReadonlySet<string>;
  readonly shortlist: readonly JobMatch[];
  readonly began_at: Date;
};

async function storeJobMatches(
  tx: Transaction,
  { job, terms, known, shortlist, began_at }: ComputedShortlist,
): Promise<void> {
  if (!isCurrent(await lockJob(tx, job.id), job, began_at)) return;
  const listed = new Set(shortlist.map(({ member_id }) => member_id));
  const left = (await listOpenMatches(tx, job.id)).filter(({ member_id }) => !listed.has(member_id));
  // Whoever this computation has not seen was deployed after it began, and has a computation of their own.
  const stale = left.filter(
    ({ match_status, member_id }) => match_status === 'pending_review' && known.has(member_id),
  );
  const engaged = left.filter(({ match_status }) => match_status !== 'pending_review');
  const weights = computeStandardWeights(job.trait_priorities);
  const vectors = await listMemberVectors(tx, toMemberIds(engaged));
  const deployed = await lockDeployedMembers(tx, [...listed]);
  const matches = [
    ...shortlist.filter(({ member_id }) => deployed.has(member_id)),
    ...vectors.map((vector) => measureMatch(vector, { weights, terms })),
  ];
  await deletePendingJobMatches(tx, job.id, toMemberIds(stale), began_at);
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

function isCurrent(now: Job | undefined, then: Job, began_at: Date): boolean {
  return (
    now?.status === 'active' &&
    serialiseRequirements(now) === serialiseRequirements(then) &&
    (now.matches_computed_at === null || now.matches_computed_at <= began_at)
  );
}

/** Everything about a job that its matches depend on, as one text. */
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

/** A match as it is stored: the labels, and nothing that they came from. */
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

import { randomUUID } from 'node:crypto';
import { findCultureProfile } from '#modules/culture';
import { findJob, lockJob, updateMatchesComputed, type Job } from '#modules/jobs';
import type { Reader, Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { standardWeights } from '../engine/fit.ts';
import { matchIndexOf } from './match-index.ts';
import type { JobTerms } from '../engine/terms.ts';
import { matchJobs, measure, type JobMatch } from '../engine/shortlist.ts';
import { deletePendingOfJob, listOpenMatches, upsertMatches, type NewMatch } from '../store.ts';
import { listVectorsOf, lockDeployed } from './store-vectors.ts';

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
    const index = matchIndexOf(context);
    // Not complete before it is stored.
    await context.progress(0, index.size() + 1);
    await computeJobs(context, [job]);
    await context.progress(index.size(), index.size());
    return { result_url: `${context.config.publicUrl}/api/v1/orgs/me/jobs/${job_id}/matches` };
  },
});

/** Computes and stores the matches of active jobs, all in one pass over the members. What else it does, {@link computeJobMatches} says. */
export async function computeJobs(context: TaskContext, jobs: readonly Job[]): Promise<void> {
  const { database, signal } = context;
  const began_at = context.now();
  const index = matchIndexOf(context);
  await index.refresh();
  const known: ReadonlySet<string>[] = [];
  const terms: JobTerms[] = [];
  for (const job of jobs) {
    const pending = await listPending(database, job.id);
    known.push(new Set(pending.filter((member_id) => index.has(member_id))));
    terms.push(await termsOf(database, job));
  }
  signal.throwIfAborted();
  const matched = jobs.map(({ trait_priorities }, at) => ({ trait_priorities, terms: terms[at]! }));
  const shortlists = await matchJobs(index, matched);
  for (const [at, job] of jobs.entries()) {
    signal.throwIfAborted();
    const computed = { job, terms: terms[at]!, known: known[at]!, shortlist: shortlists[at]!, began_at };
    await database.transaction((tx) => store(tx, computed));
  }
}

async function listPending(db: Reader, job_id: string): Promise<readonly string[]> {
  const open = await listOpenMatches(db, job_id);
  return open
    .filter(({ match_status }) => match_status === 'pending_review')
    .map(({ member_id }) => member_id);
}

/** What a job asks for and offers, with the values that its organisation's people describe. */
async function termsOf(db: Reader, job: Job): Promise<JobTerms> {
  const profile = await findCultureProfile(db, job.org_id);
  return { ...job, values: profile?.cvf ?? null };
}

type Computed = {
  readonly job: Job;
  readonly terms: JobTerms;
  /** Whose match nobody had acted on when the computation began, and whom it looked at. */
  readonly known: ReadonlySet<string>;
  readonly shortlist: readonly JobMatch[];
  readonly began_at: Date;
};

async function store(tx: Transaction, { job, terms, known, shortlist, began_at }: Computed): Promise<void> {
  if (!isCurrent(await lockJob(tx, job.id), job, began_at)) return;
  const listed = new Set(shortlist.map(({ member_id }) => member_id));
  const left = (await listOpenMatches(tx, job.id)).filter(({ member_id }) => !listed.has(member_id));
  // Whoever this computation has not seen was deployed after it began, and has a computation of their own.
  const stale = left.filter(
    ({ match_status, member_id }) => match_status === 'pending_review' && known.has(member_id),
  );
  const engaged = left.filter(({ match_status }) => match_status !== 'pending_review');
  const weights = standardWeights(job.trait_priorities);
  const vectors = await listVectorsOf(tx, idsOf(engaged));
  const deployed = await lockDeployed(tx, [...listed]);
  const matches = [
    ...shortlist.filter(({ member_id }) => deployed.has(member_id)),
    ...vectors.map((vector) => measure(vector, { weights, terms })),
  ];
  await deletePendingOfJob(tx, job.id, idsOf(stale), began_at);
  await upsertMatches(
    tx,
    matches.map((match) => newMatch(job, match)),
    began_at,
  );
  await updateMatchesComputed(tx, job.id, began_at);
}

function idsOf(matches: readonly { readonly member_id: string }[]): readonly string[] {
  return matches.map(({ member_id }) => member_id);
}

function isCurrent(now: Job | undefined, then: Job, began_at: Date): boolean {
  return (
    now?.status === 'active' &&
    asksFor(now) === asksFor(then) &&
    (now.matches_computed_at === null || now.matches_computed_at <= began_at)
  );
}

/** Everything about a job that its matches depend on, as one text. */
export function asksFor({
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
export function newMatch(job: Job, { member_id, quality, confidence_level }: JobMatch): NewMatch {
  return {
    id: randomUUID(),
    member_id,
    job_id: job.id,
    org_id: job.org_id,
    match_quality: quality,
    confidence_level,
  };
}

import { randomUUID } from 'node:crypto';
import { findJob, lockJob, updateMatchesComputed, type Job } from '#modules/jobs';
import type { Transaction } from '#platform/database.ts';
import { task, type TaskContext } from '#platform/task.ts';
import { measureMember } from './measure-member.ts';
import { createPopulation, populationSize, upsertMember, type Population } from './population.ts';
import { matchJob, type JobMatch } from './shortlist.ts';
import { deletePendingOfJob, listOpenMatches, upsertMatches, type NewMatch } from './store.ts';
import { beforeFirst, countDeployed, listVectors, lockDeployed } from './store-vectors.ts';

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
    const began_at = context.now();
    const job = await findJob(context.database, job_id);
    if (job?.status !== 'active') return undefined;
    const population = await readPopulation(context);
    const shortlist = matchJob(population, job.trait_priorities);
    await context.database.transaction((tx) => store(tx, { job, population, shortlist, began_at }));
    await context.progress(populationSize(population), populationSize(population));
    return { result_url: `${context.config.publicUrl}/api/v1/orgs/me/jobs/${job_id}/matches` };
  },
});

/** Small enough that reading a batch holds this process up for no more than some tens of milliseconds. */
const batch_members = 5_000;

async function readPopulation({ database, signal, progress }: TaskContext): Promise<Population> {
  const total = await countDeployed(database);
  const population = createPopulation();
  for (let after: string | undefined = beforeFirst; after !== undefined;) {
    signal.throwIfAborted();
    const vectors = await listVectors(database, after, batch_members);
    for (const { member_id, mean, variance } of vectors) upsertMember(population, member_id, mean, variance);
    // Not complete before it is stored.
    await progress(populationSize(population), Math.max(total, populationSize(population) + 1));
    after = vectors.length === batch_members ? vectors.at(-1)!.member_id : undefined;
  }
  return population;
}

type Computed = {
  readonly job: Job;
  readonly population: Population;
  readonly shortlist: readonly JobMatch[];
  readonly began_at: Date;
};

async function store(tx: Transaction, { job, population, shortlist, began_at }: Computed): Promise<void> {
  if (!isCurrent(await lockJob(tx, job.id), job, began_at)) return;
  const listed = new Set(shortlist.map(({ member_id }) => member_id));
  const left = (await listOpenMatches(tx, job.id)).filter(({ member_id }) => !listed.has(member_id));
  // Whoever this computation has not seen was deployed after it began, and has a computation of their own.
  const stale = left.filter(
    (match) => match.match_status === 'pending_review' && population.positions.has(match.member_id),
  );
  const engaged = left
    .filter((match) => match.match_status !== 'pending_review')
    .flatMap(({ member_id }) => measureMember(population, member_id, job.trait_priorities) ?? []);
  const deployed = await lockDeployed(tx, [...listed]);
  const matches = [...shortlist.filter(({ member_id }) => deployed.has(member_id)), ...engaged];
  await deletePendingOfJob(
    tx,
    job.id,
    stale.map(({ member_id }) => member_id),
    began_at,
  );
  await upsertMatches(
    tx,
    matches.map((match) => newMatch(job, match)),
    began_at,
  );
  await updateMatchesComputed(tx, job.id, began_at);
}

function isCurrent(now: Job | undefined, then: Job, began_at: Date): boolean {
  return (
    now?.status === 'active' &&
    JSON.stringify(now.trait_priorities) === JSON.stringify(then.trait_priorities) &&
    (now.matches_computed_at === null || now.matches_computed_at <= began_at)
  );
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

import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { formatChildId, child_id_bytes } from '#lib/child-id.ts';
import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { findCultureProfile } from '#modules/organisations/culture';
import { findJob, lockJob, reportProbing, updateComputation, type Job } from '#modules/matching/jobs';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import { listDeployedMembers } from '#modules/people/members';
import type { Reader, Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import type { TraitNorms, TraitPriorities } from '#modules/measurement/traits';
import {
  type JobMatch,
  type JobTerms,
  type MatchQuality,
  computeFitWeights,
  measureMatch,
  pickJobTerms,
} from '#modules/matching/engine';
import { applyPolicy } from '../policies/rules.ts';
import { findLivePolicy } from '../policies/store.ts';
import {
  deletePendingMatches,
  insertMatches,
  listOpenMatches,
  markChosen,
  updateLabels,
  type LabelledMatch,
  type MatchLabels,
  type MatchLog,
  type NewMatch,
  type OpenMatch,
} from '../store.ts';
import { beginExplanations } from '../explanations/begin-explanations.ts';
import { listChangedMembers, type ChangeSnapshots } from '../index/store-changes.ts';
import { findListedVersion, listMemberVectors } from '../index/store-vectors.ts';
import { buildListEnd, isLowered } from './list-ends.ts';
import { truncateToDate } from '../views.ts';
import { countSearchedMembers, openSearch } from '../parts/open-search.ts';

/**
 * Computes the matches of an active job over all deployed members and stores what has changed. New matches are added as pending_review, open
 * matches get their new labels, and pending matches of members who are no longer on the shortlist are deleted. Matches that were decided or
 * have ended do not change. After a change of the requirements, pending matches are replaced by new ones with other ids, and matches on
 * which somebody has acted keep their labels.
 *
 * The jobs of a suspended organisation find no matches. The end of the suspension queues their computation.
 *
 * The computation holds no lock, because it may take long. Storing locks the job and is skipped if the job has changed meanwhile or a
 * later computation was stored first: every change of a job queues another computation.
 */
export const computeJobMatches = task<{ readonly job_id: string; readonly org_id: string }>({
  name: 'matches.computeJobMatches',
  retry_seconds: [5, 30, 120],
  group_by: ({ org_id }) => org_id,
  merge_by: ({ job_id }) => job_id,
  run: async (context, { job_id }) => {
    const job = await findJob(context.database, job_id);
    if (job?.status !== 'active' || (await isSuspendedOrganisation(context.database, job.org_id)))
      return undefined;
    await reportProbing(context, job.org_id);
    // One more than the number of members, so that the progress is complete only after the matches are stored.
    await context.reportProgress(0, (await countSearchedMembers(context)) + 1);
    const members = await computeMatchesForJobs(context, [job]);
    await beginExplanations(context, job);
    await context.reportProgress(members, members);
    return { result_url: `${context.config.publicUrl}/api/v1/orgs/me/jobs/${job_id}/matches` };
  },
});

/**
 * Computes and stores the matches of active jobs, like {@link computeJobMatches}, all in one pass over the members.
 *
 * @returns the number of members.
 */
export async function computeMatchesForJobs(context: TaskContext, jobs: readonly Job[]): Promise<number> {
  const { database, signal } = context;
  const began_at = context.now();
  const search = await openSearch(context);
  const { version, norms, snapshots, members } = search;
  const { since } = await findListedVersion(database);
  const policy = await findLivePolicy(database);
  const preparedJobs: PreparedJob[] = [];
  for (const job of jobs)
    preparedJobs.push(await prepareJob(database, { version, policy, norms, since }, job));
  signal.throwIfAborted();
  const shortlists = await search.findShortlists(
    preparedJobs.map(({ trait_priorities, terms }) => ({ trait_priorities, terms })),
  );
  const endLongTurn = createTurnEnder();
  for (const [place, prepared] of preparedJobs.entries()) {
    signal.throwIfAborted();
    await endLongTurn();
    const computed = buildList(prepared, shortlists[place]!, { began_at, snapshots });
    if (!isStored(computed)) await database.transaction((tx) => storeJobMatches(context, tx, computed));
  }
  return members;
}

type LivePolicy = Awaited<ReturnType<typeof findLivePolicy>>;

type PreparedJob = {
  readonly job: Job;
  readonly policy: LivePolicy;
  /** The job's priorities under the policy. */
  readonly trait_priorities: TraitPriorities;
  readonly terms: JobTerms;
  /** The version of the parameters of the search, and its norms. */
  readonly version: string | undefined;
  readonly norms: TraitNorms;
  /** The latest change of what the list follows from, apart from the job and the members. */
  readonly inputs_changed_at: Date;
  /** The matches that were open when the computation began. */
  readonly open: readonly OpenMatch[];
  /** The members whose match was pending then. */
  readonly pending: ReadonlySet<string>;
};

async function prepareJob(
  db: Reader,
  {
    version,
    policy,
    norms,
    since,
  }: Pick<PreparedJob, 'version' | 'policy' | 'norms'> & { readonly since: Date | undefined },
  job: Job,
): Promise<PreparedJob> {
  const open = await listOpenMatches(db, job.id);
  const pending = open.filter(({ match_status }) => match_status === 'pending_review');
  const profile = await findCultureProfile(db, job.org_id);
  const changes = [policy.used_at, since, profile?.computed_at].map((time) => time?.getTime() ?? 0);
  return {
    job,
    policy,
    trait_priorities: applyPolicy(policy, job),
    terms: pickJobTerms(job, profile?.cvf ?? null),
    version,
    norms,
    inputs_changed_at: new Date(Math.max(...changes)),
    open,
    pending: new Set(toMemberIds(pending)),
  };
}

type ComputationTimes = { readonly began_at: Date; readonly snapshots: ChangeSnapshots };

type ComputedShortlist = PreparedJob &
  ComputationTimes & {
    readonly shortlist: readonly JobMatch[];
    readonly list_end: Job['list_end'];
    /** Whether what the stored list follows from has changed since it was computed, apart from the members. */
    readonly isRevised: boolean;
  };

function buildList(
  prepared: PreparedJob,
  shortlist: readonly JobMatch[],
  times: ComputationTimes,
): ComputedShortlist {
  const { job, policy, version, inputs_changed_at, open } = prepared;
  const basis = { version: job.version, policy_version: policy.version, listed_version: version };
  const stored_at = job.matches_computed_at;
  return {
    ...prepared,
    ...times,
    shortlist,
    list_end: buildListEnd(shortlist, basis),
    isRevised: !stored_at || stored_at <= inputs_changed_at || open.some((match) => isOutdated(match, job)),
  };
}

/**
 * Says whether a list was stored before just as it was computed now, so that there is nothing to write. The time of the stored computation must be
 * later than the last change of what lists follow from, so that no earlier computation can replace the list, and on the same day, because organisations
 * see the day.
 */
function isStored(computed: ComputedShortlist): boolean {
  const { job, began_at, isRevised, open, shortlist, list_end } = computed;
  const stored_at = job.matches_computed_at;
  if (!stored_at || isRevised || !isDeepStrictEqual(job.list_end, list_end)) return false;
  if (truncateToDate(stored_at).getTime() !== truncateToDate(began_at).getTime()) return false;
  // Those who are not on the list and on whom somebody has acted get labels of their own, which a transaction computes.
  const chosen = open.filter((match) => !isFilling(match));
  if (chosen.length !== shortlist.length) return false;
  const matches = new Map(chosen.map((match) => [match.member_id, match]));
  return shortlist.every((match) => {
    const stored = matches.get(match.member_id);
    return stored?.version === job.version && hasLabels(stored, match);
  });
}

async function storeJobMatches(
  { queue }: TaskContext,
  tx: Transaction,
  computed: ComputedShortlist,
): Promise<void> {
  const { job, began_at, version, list_end } = computed;
  const locked = await lockJob(tx, job.id);
  if (!locked || !isCurrent(locked, job, began_at)) return;
  // After a switch to other vectors, all jobs are computed again. This list would have the fits and the scale of the earlier ones.
  if (version !== undefined && version !== (await findListedVersion(tx)).version) return;
  if (await isSuspendedOrganisation(tx, job.org_id)) return;
  const { added, relabelled, chosen, stale, outdated } = await compareMatches(tx, computed);
  await deletePendingMatches(tx, outdated);
  const inserted = await insertMatches(tx, added, began_at);
  // Each new match refers to its member, who cannot leave level 4 from then on until the transaction ends. Members who left it before are
  // found here. A member who left it during the computation may be missing from the shortlist for that reason alone.
  const concerned = toMemberIds([...inserted, ...relabelled, ...stale]);
  const deployed = concerned.length > 0 ? await listDeployedMembers(tx, concerned) : new Set();
  const isDeployed = ({ member_id }: { readonly member_id: string }) => deployed.has(member_id);
  await deletePendingMatches(tx, [
    ...inserted.filter((match) => !isDeployed(match)),
    ...stale.filter(isDeployed),
  ]);
  await updateLabels(tx, relabelled.filter(isDeployed), began_at);
  await markChosen(tx, chosen);
  await updateComputation(tx, { id: job.id, matches_computed_at: began_at, list_end });
  // Members who changed during the computation are not on the list, and may have been compared with its earlier end.
  if (isLowered(list_end, locked.list_end))
    await queue.send(tx, computeJobMatches, { job_id: job.id, org_id: job.org_id });
}

/** Says whether nobody has acted on a match that was added because the list of its member would have been empty. */
function isFilling({ match_status, fills_list }: OpenMatch): boolean {
  return fills_list && match_status === 'pending_review';
}

type Differences = {
  readonly added: readonly NewMatch[];
  readonly relabelled: readonly RelabelledMatch[];
  /** Matches that filled the lists of their members until now. */
  readonly chosen: readonly LabelledMatch[];
  readonly stale: readonly LabelledMatch[];
  /** Pending matches of an earlier version, which are replaced. */
  readonly outdated: readonly LabelledMatch[];
};

type RelabelledMatch = LabelledMatch & MatchLabels & MatchLog;

/** Finds what to store. A match that stays as it is appears nowhere, so that a computation that changes nothing writes nothing. */
async function compareMatches(
  tx: Transaction,
  {
    job,
    policy,
    trait_priorities,
    terms,
    version,
    norms,
    pending,
    shortlist,
    snapshots,
    isRevised,
  }: ComputedShortlist,
): Promise<Differences> {
  const stored = await listOpenMatches(tx, job.id);
  const outdated = stored.filter((match) => isOutdated(match, job));
  const open = new Map(
    stored.filter((match) => !isOutdated(match, job)).map((match) => [match.member_id, match]),
  );
  const listed = new Set(toMemberIds(shortlist));
  const unlisted = [...open.values()].filter(({ member_id }) => !listed.has(member_id));
  const engaged = unlisted.filter(
    ({ match_status, version }) => match_status !== 'pending_review' && version === job.version,
  );
  const weights = computeFitWeights(trait_priorities, norms);
  const vectors = await listMemberVectors(tx, version, toMemberIds(engaged));
  const matches = [...shortlist, ...vectors.map((vector) => measureMatch(vector, { weights, terms }))];
  const tiers = countTiers(shortlist);
  const logMatch = ({ quality }: JobMatch): MatchLog => ({
    policy_version: policy.version,
    tier_candidates: tiers.get(quality) ?? 1,
  });
  const added = matches
    .filter(({ member_id }) => !open.has(member_id))
    .map((match) => buildNewMatch(job, match, logMatch(match)));
  const relabelled = matches.flatMap((match) =>
    updateMatchLabels(job, open.get(match.member_id), match, logMatch(match)),
  );
  // What fills the list of a member stays until something changes that its labels follow from.
  const unlistedPending = unlisted.filter(
    (match) =>
      match.match_status === 'pending_review' &&
      pending.has(match.member_id) &&
      (isRevised || !isFilling(match)),
  );
  // Members who have changed since it began have a computation of their own, which may be stored already, and knows more.
  const concerned = toMemberIds([...added, ...relabelled, ...unlistedPending]);
  const changed = await listChangedMembers(tx, snapshots, concerned);
  const isUnchanged = ({ member_id }: { readonly member_id: string }) => !changed.has(member_id);
  return {
    added: added.filter(isUnchanged),
    relabelled: relabelled.filter(isUnchanged),
    chosen: [...open.values()].filter((match) => isFilling(match) && listed.has(match.member_id)),
    stale: await selectCovered(tx, version, unlistedPending.filter(isUnchanged)),
    outdated,
  };
}

/** Selects the matches of members whom the search has covered: those who have a vector now, because they have not changed since. */
async function selectCovered(
  tx: Transaction,
  version: string | undefined,
  matches: readonly LabelledMatch[],
): Promise<readonly LabelledMatch[]> {
  const vectors = await listMemberVectors(tx, version, toMemberIds(matches));
  const covered = new Set(vectors.map(({ member_id }) => member_id));
  return matches.filter(({ member_id }) => covered.has(member_id));
}

/** Counts the matches of each tier, among which the order is random. */
function countTiers(shortlist: readonly JobMatch[]): ReadonlyMap<MatchQuality, number> {
  const tiers = new Map<MatchQuality, number>();
  for (const { quality } of shortlist) tiers.set(quality, (tiers.get(quality) ?? 0) + 1);
  return tiers;
}

/** Says whether nobody has acted on a match and the requirements of its job have changed since: another match replaces it, if any. */
export function isOutdated(
  { match_status, version }: Pick<LabelledMatch, 'match_status' | 'version'>,
  job: Pick<Job, 'version'>,
): boolean {
  return match_status === 'pending_review' && version !== job.version;
}

/**
 * Returns the stored match with its new labels, or nothing if it has them already. A match on which somebody acted before the requirements
 * changed keeps its labels: new ones would tell the organisation how the same person fits another job.
 */
export function updateMatchLabels(
  job: Pick<Job, 'version'>,
  stored: LabelledMatch | undefined,
  { quality, confidence_level, provisional, suitability }: JobMatch,
  log: MatchLog,
): readonly RelabelledMatch[] {
  if (!stored || stored.version !== job.version) return [];
  return hasLabels(stored, { quality, confidence_level, provisional, suitability })
    ? []
    : [{ ...stored, match_quality: quality, confidence_level, provisional, suitability, ...log }];
}

function hasLabels(
  stored: LabelledMatch,
  {
    quality,
    confidence_level,
    provisional,
    suitability,
  }: Pick<JobMatch, 'quality' | 'confidence_level' | 'provisional' | 'suitability'>,
): boolean {
  return (
    stored.match_quality === quality &&
    stored.confidence_level === confidence_level &&
    stored.provisional === provisional &&
    (stored.suitability ?? suitability) === suitability
  );
}

function toMemberIds(matches: readonly { readonly member_id: string }[]): readonly string[] {
  return matches.map(({ member_id }) => member_id);
}

/** Says whether a job is still what was computed, and no computation of it that began later has been stored. */
export function isCurrent(
  stored: Pick<Job, 'status' | 'version' | 'matches_computed_at'> | undefined,
  computed: Pick<Job, 'version'>,
  began_at: Date,
): boolean {
  return (
    stored?.status === 'active' &&
    stored.version === computed.version &&
    (stored.matches_computed_at === null || stored.matches_computed_at <= began_at)
  );
}

/** Builds the match to store: it contains the labels, but not the numbers behind them. */
export function buildNewMatch(
  job: Pick<Job, 'id' | 'org_id' | 'version'>,
  { member_id, quality, confidence_level, provisional, suitability }: JobMatch,
  log: MatchLog,
): NewMatch {
  return {
    id: formatChildId(job.id, randomBytes(child_id_bytes)),
    member_id,
    job_id: job.id,
    org_id: job.org_id,
    match_quality: quality,
    confidence_level,
    provisional,
    suitability,
    version: job.version,
    ...log,
  };
}

import { listDeepeningMembers, updateTraitStakes } from '#modules/measurement/traits';
import type { Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { type Comparison, addUpStakes, compareMembers } from '#modules/matching/engine';
import { listMembersWithOpenMatches } from '../store-member-matches.ts';
import { insertMatches } from '../store.ts';
import { getJobIndex, type OfferedJobs } from './job-index.ts';
import {
  findListedVersion,
  listMemberVectors,
  lockComputations,
  lockVectors,
  type MemberVector,
} from '../index/store-vectors.ts';
import { buildNewMatch } from './compute-job-matches.ts';
import { listCurrentPairs, writeComparisons, type ComparedMemberPart } from './write-comparisons.ts';
import { readTierCounts } from './tier-counts.ts';

/**
 * Computes the matches of members with all active jobs, after they were deployed or measured again: of all members that wait, in one pass
 * over the jobs in memory. If a member has withdrawn a consent or asked for deletion, the open matches are withdrawn. If the member is not deployed for another
 * reason, for example an incomplete profile, matching is paused and the matches do not change.
 *
 * Only matches of the tier moderate or better are added, because {@link matchJobs} lists these regardless of other members, and of a job whose
 * list is full only those that reach its end. Whether another match is among the best can only be decided by a computation of the job. If a shortlist
 * becomes too long, matches of its lowest tier are deleted. A pending match whose fit is no longer above average is deleted, as in a computation of the job. A member who
 * then has no open match gets the best ones of any tier.
 */
export const computeMemberMatches = task<{ readonly member_id: string }>({
  name: 'matches.computeMemberMatches',
  retry_seconds: [5, 30, 120],
  group_by: ({ member_id }) => member_id,
  merge_by: ({ member_id }) => member_id,
  batch_max: 100,
  run: async (context, first, batch = [first]) => {
    const began_at = context.now();
    let waiting = [...new Set(batch.map(({ member_id }) => member_id))].toSorted();
    for (let attempt = 0; waiting.length > 0; attempt += 1) {
      if (attempt === attempts_max) throw new Error('the members have changed during every computation');
      context.signal.throwIfAborted();
      const computation = { member_ids: waiting, began_at };
      waiting = await getJobIndex(context).runWithJobs((jobs) => computeMembers(context, jobs, computation));
    }
  },
});

/** Each further attempt needs a member who has changed during the last one. */
const attempts_max = 10;

type Computation = { readonly member_ids: readonly string[]; readonly began_at: Date };

/** The pairs of member and job that are compared at once. The matches of up to a third of them are in memory until it is stored. */
const pairs_in_pass = 1_000_000;

/** Computes and stores the matches of members. @returns those that have changed since they were compared, whose matches are not stored. */
async function computeMembers(
  context: TaskContext,
  jobs: OfferedJobs,
  { member_ids, began_at }: Computation,
): Promise<string[]> {
  const changed: string[] = [];
  const members = Math.max(1, Math.floor(pairs_in_pass / Math.max(1, jobs.packed.jobs.length)));
  for (let from = 0; from < member_ids.length; from += members) {
    const pass = { member_ids: member_ids.slice(from, from + members), began_at };
    changed.push(...(await computePass(context, jobs, pass)));
  }
  return changed;
}

/** Computes and stores the matches of some members in one pass over the jobs, like {@link computeMembers}. */
async function computePass(
  context: TaskContext,
  jobs: OfferedJobs,
  { member_ids, began_at }: Computation,
): Promise<string[]> {
  const { database, signal } = context;
  const vectors = await listMemberVectors(database, jobs.listed.version, member_ids);
  const comparisons = await compareMembers(jobs.packed, vectors, jobs.suspended);
  const compared = new Map(
    vectors.map((vector, place) => [vector.member_id, { vector, comparison: comparisons[place]! }]),
  );
  const changed = new Set<string>();
  for (const parts of listParts(member_ids, compared)) {
    signal.throwIfAborted();
    const found = await database.transaction((tx) =>
      writeComparisons(context, tx, jobs, { parts, began_at }),
    );
    for (const member_id of found) changed.add(member_id);
  }
  const stored = [...compared.values()].filter(
    ({ vector, comparison }) => comparison.best.length > 0 && !changed.has(vector.member_id),
  );
  await fillEmptyLists(context, jobs, stored, began_at);
  await storeStakes(context, jobs, stored);
  return [...changed];
}

type ComparedMember = { readonly vector: MemberVector; readonly comparison: Comparison };

/** The pairs of member and job that are stored in one transaction. */
const pairs_max = 1_000;

/** Divides what was found for the members into parts for a transaction each: many members with few jobs, or a part of one member's jobs. */
function listParts(
  member_ids: readonly string[],
  compared: ReadonlyMap<string, ComparedMember>,
): readonly (readonly ComparedMemberPart[])[] {
  const transactions: ComparedMemberPart[][] = [[]];
  let pairs = 0;
  for (const member_id of member_ids) {
    const { vector, comparison } = compared.get(member_id) ?? {};
    const found = comparison?.found ?? [];
    const found_ids = new Set(found.map(({ id }) => id));
    for (let from = 0; from === 0 || from < found.length; from += pairs_max) {
      const part = found.slice(from, from + pairs_max);
      if (pairs > 0 && pairs + part.length > pairs_max) {
        transactions.push([]);
        pairs = 0;
      }
      transactions.at(-1)!.push({ member_id, vector, found: part, found_ids, isFirst: from === 0 });
      // A member without jobs takes statements, too.
      pairs += part.length + 1;
    }
  }
  return transactions;
}

/**
 * Adds the matches that suit members best, whatever their tier, to those who have no open match, so that no list is empty while there
 * is a job that the member may have. A computation of the job may delete them again; the task `fillEmptyLists` then adds others.
 */
async function fillEmptyLists(
  { database }: TaskContext,
  jobs: OfferedJobs,
  compared: readonly ComparedMember[],
  began_at: Date,
): Promise<void> {
  const member_ids = compared.map(({ vector }) => vector.member_id);
  const listed = await listMembersWithOpenMatches(database, member_ids);
  const empty = compared.filter(({ vector }) => !listed.has(vector.member_id));
  if (empty.length > 0) await database.transaction((tx) => fillLists(tx, jobs, empty, began_at));
}

async function fillLists(
  tx: Transaction,
  { listed, policy_version }: OfferedJobs,
  compared: readonly ComparedMember[],
  began_at: Date,
): Promise<void> {
  const member_ids = compared.map(({ vector }) => vector.member_id);
  await lockComputations(tx, member_ids);
  const { version, since } = await findListedVersion(tx);
  // After a switch to other vectors, all jobs are computed again.
  if (version !== listed.version) return;
  const deployed = new Set((await lockVectors(tx, version, member_ids)).map(({ member_id }) => member_id));
  const withMatches = await listMembersWithOpenMatches(tx, member_ids);
  const pairs = compared
    .filter(({ vector }) => deployed.has(vector.member_id) && !withMatches.has(vector.member_id))
    .flatMap(({ comparison }) => comparison.best.map((job) => ({ job, fits: true })));
  const current = await listCurrentPairs(tx, pairs, { began_at, since });
  const tiers = await readTierCounts(
    tx,
    current.map(({ job }) => job.id),
  );
  const added = current.map(({ job }) => ({
    ...buildNewMatch(job, job.match, {
      policy_version,
      tier_candidates: tiers.add(job.id, job.match.quality),
    }),
    fills_list: true,
  }));
  await insertMatches(tx, added, began_at);
}

/** Stores what is at stake for the members who deepen their assessment. */
async function storeStakes(
  { database }: TaskContext,
  { packed, suspended }: OfferedJobs,
  compared: readonly ComparedMember[],
): Promise<void> {
  const member_ids = compared.map(({ vector }) => vector.member_id);
  const deepening = await listDeepeningMembers(database, member_ids);
  for (const { vector } of compared) {
    if (!deepening.has(vector.member_id)) continue;
    const stakes = await addUpStakes(packed, vector, suspended);
    await database.transaction((tx) => updateTraitStakes(tx, vector.member_id, stakes));
  }
}

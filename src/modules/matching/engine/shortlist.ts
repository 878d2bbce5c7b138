import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import type { TraitNorms, TraitPriorities } from '#modules/measurement/traits';
import { collectBestMembers, type BoundedMember, type BestMembers } from './best-members.ts';
import { packFilter, type PackedFilter } from './facts.ts';
import { computeFit, computeFitWeights, type Fit, type FitWeights } from './fit.ts';
import { defaultMemberTerms, readMember, type KnownMember, type Population } from './population.ts';
import type { Scanner } from './scanner.ts';
import { areCompatible, computeReluctance, type JobTerms } from './terms.ts';
import {
  computeLowerBound,
  computeRetestProbability,
  rankQuality,
  toConfidenceLevel,
  toTier,
  type ConfidenceLevel,
  type MatchQuality,
} from './tiers.ts';

/** A match of one job before it is stored. `fit` never leaves the service; only `quality` and `confidence_level` are stored. */
export type JobMatch = {
  readonly member_id: string;
  readonly fit: Fit;
  readonly quality: MatchQuality;
  readonly confidence_level: ConfidenceLevel;
  /** Whether the parameters behind the member's traits are not yet calibrated. */
  readonly provisional: boolean;
  /** The order within a tier: the lower bound of the fit minus the member's reluctance. */
  readonly choice: number;
  /** The same without the organisation's values, in whole hundredths: the order of the member's own list within a tier. */
  readonly suitability: number;
};

/** The parts of a job that matching needs, and the norms of the parameters with which all members are measured. */
export type MatchedJob = {
  readonly trait_priorities: TraitPriorities;
  readonly norms: TraitNorms;
  readonly terms: JobTerms;
};

/** The largest number of matches on a shortlist: of all tiers, and of the lowest tier. */
export const shortlistLimits = { matches: 1000, developing: 200 } as const;

/** The source of members: an index in memory. */
export type MemberSource = {
  /** Runs work while the population does not change. */
  runExclusively<Result>(work: (scanner: Scanner) => Promise<Result>): Promise<Result>;
};

/**
 * Computes the shortlists of jobs, best match first: up to `limit` matches of the tiers moderate or better, and then up to 200 `developing`
 * matches if the limit allows. Within a tier, the order is by the lower bound of the fit minus the member's reluctance, then by member id.
 * In every match both sides are compatible and the fit is above average, so that nothing is stored about members whom a job does not suit.
 *
 * The result is exact. One scan over all jobs computes upper limits of the members' lower bounds. The full records of members are then read in the
 * order of these limits, until no further member can reach the last place of the list. If the scan did not collect enough, a deeper one
 * follows.
 *
 * The order is used for the selection and in tests only. Lists in replies are ordered by tier and then by the id of the match, which is
 * random (a version 4 UUID from when the match was first stored): stable, different for every job, and independent of the rank. Member
 * ids would not be suitable, because the same members would be first in every list.
 */
export async function matchJobs(
  members: MemberSource,
  jobs: readonly MatchedJob[],
  { limit = shortlistLimits.matches }: { readonly limit?: number } = {},
): Promise<readonly (readonly JobMatch[])[]> {
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw new RangeError(`The limit must be a whole number from 0, not ${limit}.`);
  const searches = jobs.map((job) => createSearch(job, limit));
  await members.runExclusively(async (scanner) => {
    const endLongTurn = createTurnEnder();
    for (let open = searches; open.length > 0; open = open.filter((search) => !search.done)) {
      const collected = await collectBestMembers(scanner, open, endLongTurn);
      for (const [index, search] of open.entries())
        await advanceSearch(search, collected[index]!, scanner.population, endLongTurn);
    }
  });
  return searches.map(({ shortlist }) => shortlist);
}

/** Computes the match of a member with a job and its labels, regardless of its rank and of whether the two sides are compatible. */
export function measureMatch(
  member: KnownMember & { readonly member_id: string },
  { weights, terms }: { readonly weights: FitWeights; readonly terms: JobTerms },
): JobMatch {
  const fit = computeFit(weights, member.mean, member.variance);
  return labelFit(member, fit, { terms, shared_sd: weights.shared_sd });
}

/** Computes the labels of a match with a fit that is already known. */
export function labelFit(
  {
    member_id,
    provisional = false,
    terms = defaultMemberTerms,
  }: Pick<KnownMember, 'provisional' | 'terms'> & { readonly member_id: string },
  fit: Fit,
  { terms: jobTerms, shared_sd }: { readonly terms: JobTerms; readonly shared_sd: number },
): JobMatch {
  const bound = computeLowerBound(fit.mean, fit.sd, shared_sd);
  // A computation of the member does not know the values of the organisations.
  const unvaluedReluctance = computeReluctance({ ...jobTerms, values: null }, terms);
  const reluctance = jobTerms.values === null ? unvaluedReluctance : computeReluctance(jobTerms, terms);
  return {
    member_id,
    fit,
    quality: toTier(bound),
    confidence_level: toConfidenceLevel(computeRetestProbability(fit.mean, fit.sd, shared_sd), provisional),
    provisional,
    choice: bound - reluctance,
    suitability: Math.round(100 * (bound - unvaluedReluctance)),
  };
}

/**
 * Merges the lists that {@link matchJobs} has computed for one job over disjoint parts of the members, each with the limit of the whole or a
 * lower one. The result is the list over all of them, exactly, unless {@link listShortParts} names a part: who is on it is on the list of their
 * part, where they have at most the same rank, in all and among the `developing` matches.
 */
export function mergeShortlists(
  lists: readonly (readonly JobMatch[])[],
  limit: number = shortlistLimits.matches,
): readonly JobMatch[] {
  return selectShortlist(lists.flat(), limit);
}

/**
 * Lists the parts whose lists, with the limit `part_limit`, were too short for the merged list. The last match of a part's list bounds all
 * members of the part who are not on it: if it is not on the merged list, none of them would be.
 */
export function listShortParts(
  merged: readonly JobMatch[],
  lists: readonly (readonly JobMatch[])[],
  part_limit: number,
): readonly number[] {
  const merged_ids = new Set(merged.map(({ member_id }) => member_id));
  return [...lists.keys()].filter((part) => {
    const last = lists[part]!.length < part_limit ? undefined : lists[part]!.at(-1);
    return last !== undefined && merged_ids.has(last.member_id);
  });
}

/** The state of the search for one job's matches. */
type Search = {
  readonly terms: JobTerms;
  readonly weights: FitWeights;
  readonly filter: PackedFilter;
  readonly limit: number;
  /** The best matches so far, in order. */
  shortlist: readonly JobMatch[];
  /** The positions of the members whose full record was read. */
  readonly seen: Set<number>;
  /** The number of scans so far; each one is deeper than the previous. */
  passes: number;
  done: boolean;
};

function createSearch(job: MatchedJob, limit: number): Search {
  const weights = computeFitWeights(job.trait_priorities, job.norms);
  const filter = packFilter(job.terms);
  return {
    terms: job.terms,
    weights,
    filter,
    limit,
    shortlist: [],
    seen: new Set(),
    passes: 0,
    done: limit === 0,
  };
}

/** The number of members that are measured before the list is sorted again: less than a millisecond. */
const batch_members = 500;

async function advanceSearch(
  search: Search,
  { found, rest }: BestMembers,
  population: Population,
  endLongTurn: () => Promise<void>,
): Promise<void> {
  search.passes += 1;
  const unseen = found.filter(({ position }) => !search.seen.has(position));
  for (let from = 0; from < unseen.length; from += batch_members) {
    if (!canReach(search, unseen[from]!.bound)) break;
    await endLongTurn();
    const batch = unseen.slice(from, from + batch_members).filter(({ bound }) => canReach(search, bound));
    measureBatch(search, batch, population);
  }
  search.done = !canReach(search, rest);
}

function measureBatch(search: Search, batch: readonly BoundedMember[], population: Population): void {
  for (const { position } of batch) search.seen.add(position);
  const matches = batch
    .map(({ position }) => readMember(population, position))
    .filter(({ terms }) => areCompatible(search.terms, terms))
    .map((member) => measureMatch(member, search))
    .filter(({ fit }) => fit.mean > 0);
  search.shortlist = selectShortlist([...search.shortlist, ...matches], search.limit);
}

/** Selects the best matches, in order. Sorts the given array. */
function selectShortlist(matches: JobMatch[], limit: number): readonly JobMatch[] {
  return dropExcess(matches.sort(compareMatches).slice(0, limit));
}

/** Says whether a member whose lower bound is at most `bound` could still be added to the shortlist. */
function canReach({ shortlist, limit }: Search, bound: number): boolean {
  if (bound === -Infinity) return false;
  const last = shortlist.at(-1);
  if (last === undefined || !isFull(shortlist, limit)) return true;
  const tier = rankQuality(toTier(bound));
  return tier < rankQuality(last.quality) || (tier === rankQuality(last.quality) && bound >= last.choice);
}

/** The `developing` matches are last, so there are as many as allowed if the match at that distance from the end is one. */
function isFull(shortlist: readonly JobMatch[], limit: number): boolean {
  return shortlist.length === limit || shortlist.at(-shortlistLimits.developing)?.quality === 'developing';
}

function compareMatches(a: JobMatch, b: JobMatch): number {
  return (
    rankQuality(a.quality) - rankQuality(b.quality) ||
    b.choice - a.choice ||
    (a.member_id < b.member_id ? -1 : 1)
  );
}

function dropExcess(matches: readonly JobMatch[]): readonly JobMatch[] {
  const developing = matches.findIndex((match) => match.quality === 'developing');
  return developing === -1 ? matches : matches.slice(0, developing + shortlistLimits.developing);
}

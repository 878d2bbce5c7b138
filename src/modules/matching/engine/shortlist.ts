import type { TraitPriorities } from '#modules/traits';
import { packFilter, type PackedFilter } from './facts.ts';
import { collectCandidates, type Candidate, type Candidates } from './candidates.ts';
import type { Scanner } from './scanner.ts';
import { computeFit, computeStandardWeights, type Fit } from './fit.ts';
import { defaultMemberTerms, type KnownMember } from './population.ts';
import { computeReluctance, areCompatible, type JobTerms } from './terms.ts';
import {
  toConfidenceLevel,
  computeLowerBound,
  matchQualities,
  computeTier,
  type ConfidenceLevel,
  type MatchQuality,
} from './tiers.ts';
import { boundMean } from './slots.ts';

/** A match of one job, before it is stored. `fit` stays inside the service; what leaves is `quality` and `confidence_level`. */
export type JobMatch = {
  readonly member_id: string;
  readonly fit: Fit;
  readonly quality: MatchQuality;
  readonly confidence_level: ConfidenceLevel;
  /** What the choice goes by within a tier: the lower bound of the fit, less what speaks against the job for the member. */
  readonly choice: number;
};

/** A job as it is matched. */
export type MatchedJob = { readonly trait_priorities: TraitPriorities; readonly terms: JobTerms };

/** How many matches of one job are kept, of all tiers, and of the lowest tier. */
export const shortlistLimits = { matches: 1000, developing: 200 } as const;

/** Where the members are: scanned in memory, and read in full from where they are kept. */
export type MemberSource = {
  /** Runs work that the population stands still for. */
  runExclusively<Result>(work: (scanner: Scanner) => Promise<Result>): Promise<Result>;
  /** The posterior and terms of these members, those of them that are matched at all. */
  readMembers(
    member_ids: readonly string[],
  ): Promise<readonly (KnownMember & { readonly member_id: string })[]>;
};

/**
 * The matches of jobs that are worth storing, best first: those of a tier of moderate or better, up to `limit`, and in the room that is
 * left up to 200 `developing` ones. Within a tier by the lower bound of the fit less the member's reluctance, then by member id. Neither
 * side of a match rules the other out, and its fit is above average: nothing is stored about people a job does not suit. As tiers come
 * first, the cap never drops a higher one for a lower one.
 *
 * Exact. One scan over all jobs bounds everybody's lower bound from above; members are then read in full in the order of those bounds,
 * until the next bound cannot reach the last place of the list. Where the scan did not go deep enough it goes deeper.
 *
 * The order is for choosing and for tests. A list that people see goes by tier and then by the match's own id, which is random
 * (version 4, drawn when the match is first stored): stable, different for every job, and silent about rank. Member ids would not do,
 * as the same people would lead every list.
 */
export async function matchJobs(
  members: MemberSource,
  jobs: readonly MatchedJob[],
  { limit = shortlistLimits.matches }: { readonly limit?: number } = {},
): Promise<readonly (readonly JobMatch[])[]> {
  if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError(`The limit is ${limit}.`);
  const searches = jobs.map((job) => createSearch(job, limit));
  for (let open = searches; open.length > 0; open = open.filter((search) => !search.done)) {
    const found = await members.runExclusively((scanner) => collectCandidates(scanner, open));
    for (const [index, search] of open.entries()) await advanceSearch(search, found[index]!, members);
  }
  return searches.map(({ kept }) => kept);
}

/** {@link matchJobs} for one job. */
export async function matchJob(
  members: MemberSource,
  job: MatchedJob,
  options: { readonly limit?: number } = {},
): Promise<readonly JobMatch[]> {
  const [matches] = await matchJobs(members, [job], options);
  return matches!;
}

/** One member's match with one job with its labels, wherever it ranks and whether or not one side rules the other out. */
export function measureMatch(
  { member_id, mean, variance, terms = defaultMemberTerms }: KnownMember & { readonly member_id: string },
  { weights, terms: jobTerms }: { readonly weights: Float64Array; readonly terms: JobTerms },
): JobMatch {
  const fit = computeFit(weights, Array.from(mean, boundMean), variance);
  const choice = computeLowerBound(fit.mean, fit.sd) - computeReluctance(jobTerms, terms);
  const labels = { quality: computeTier(fit.mean, fit.sd), confidence_level: toConfidenceLevel(fit.sd) };
  return { member_id, fit, ...labels, choice };
}

/** The search for one job's matches, as far as it is. */
type Search = {
  readonly terms: JobTerms;
  readonly weights: Float64Array;
  readonly filter: PackedFilter;
  readonly limit: number;
  /** The best so far, in order. */
  kept: readonly JobMatch[];
  /** Whose record was looked at. */
  readonly seen: Set<string>;
  /** How deep the last scan went. */
  passes: number;
  done: boolean;
};

function createSearch(job: MatchedJob, limit: number): Search {
  const weights = computeStandardWeights(job.trait_priorities);
  const filter = packFilter(job.terms);
  return {
    terms: job.terms,
    weights,
    filter,
    limit,
    kept: [],
    seen: new Set(),
    passes: 0,
    done: limit === 0,
  };
}

/** Members are read in batches of so many. */
const batch_members = 1_000;

async function advanceSearch(search: Search, found: Candidates, members: MemberSource): Promise<void> {
  search.passes += 1;
  const fresh = found.candidates.filter(({ member_id }) => !search.seen.has(member_id));
  for (let from = 0; from < fresh.length; from += batch_members) {
    if (!canReach(search, fresh[from]!.bound)) break;
    const batch = fresh.slice(from, from + batch_members).filter(({ bound }) => canReach(search, bound));
    await readBatch(search, batch, members);
  }
  search.done = !canReach(search, found.rest);
}

async function readBatch(search: Search, batch: readonly Candidate[], members: MemberSource): Promise<void> {
  for (const { member_id } of batch) search.seen.add(member_id);
  const known = await members.readMembers(batch.map(({ member_id }) => member_id));
  const more = known
    .filter(({ terms = defaultMemberTerms }) => areCompatible(search.terms, terms))
    .map((member) => measureMatch(member, search))
    .filter(({ fit }) => fit.mean > 0);
  search.kept = dropExcess([...search.kept, ...more].sort(compareMatches).slice(0, search.limit));
}

/** Whether somebody whose lower bound is at most this could still come onto the list. */
function canReach({ kept, limit }: Search, bound: number): boolean {
  if (bound === -Infinity) return false;
  const last = kept.at(-1);
  if (last === undefined || !isFull(kept, limit)) return true;
  const tier = rankQuality(computeTier(bound, 0));
  return tier < rankQuality(last.quality) || (tier === rankQuality(last.quality) && bound >= last.choice);
}

function isFull(kept: readonly JobMatch[], limit: number): boolean {
  const developing = kept.length - kept.findIndex(({ quality }) => quality === 'developing');
  return (
    kept.length === limit ||
    (kept.at(-1)!.quality === 'developing' && developing === shortlistLimits.developing)
  );
}

function rankQuality(quality: MatchQuality): number {
  return matchQualities.indexOf(quality);
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

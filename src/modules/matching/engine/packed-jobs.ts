import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { mayBeCompatible, packFacts, packFilter, type PackedFacts, type PackedFilter } from './facts.ts';
import {
  computeRelativeFit,
  computeRelativeMeans,
  computeVectorLength,
  type Fit,
  type FitWeights,
} from './fit.ts';
import { defaultMemberTerms, type KnownMember } from './population.ts';
import { canEnterList, computeLeastListedBound, type ListEnd } from './list-end.ts';
import { labelFit, type JobMatch } from './shortlist.ts';
import { traitSlotCount } from './slots.ts';
import { areCompatible, type JobTerms, type MemberTerms } from './terms.ts';
import { computeLowerBound } from './tiers.ts';
import { computeTraitStakes } from './trait-stakes.ts';

/** What is known of an active job apart from the weights of its fit. The terms are those that concern a single member: without values. */
export type PackedJob = {
  readonly id: string;
  readonly org_id: string;
  readonly version: number;
  readonly terms: JobTerms;
  /** Where the job's full list ends; null if it has room, or if nobody knows. */
  readonly end: ListEnd | null;
};

/**
 * All active jobs in memory, at the positions 0 to size - 1, which a removal changes. The weights of a job are computed once for each version. They are in
 * arrays of numbers in a row, because a comparison of a member with all jobs reads nothing else of most of them. A job takes about 900 bytes.
 */
export type PackedJobs = {
  readonly jobs: (PackedJob & { readonly filter: PackedFilter })[];
  readonly positions: Map<string, number>;
  /** Twenty numbers a job: the weights of the relative means, and of the traits. */
  relative: Float64Array;
  effects: Float64Array;
  /** The slots whose relative weight is not zero; those of a job's twenty places that follow mean nothing. */
  slots: Uint8Array;
  /** Four numbers a job: the shared error, the length of `effects`, how many of `slots` there are, and the least lower bound of a match that is found. */
  limits: Float64Array;
};

const limitWidth = 4;

/** Creates an empty set of jobs. */
export function createPackedJobs(): PackedJobs {
  return { jobs: [], positions: new Map(), ...createArrays(0) };
}

/** Adds a job or replaces what is known of one. */
export function upsertJob(packed: PackedJobs, job: PackedJob, weights: FitWeights): void {
  const position = packed.positions.get(job.id) ?? packed.jobs.length;
  ensureSpace(packed, position + 1);
  packed.jobs[position] = { ...job, filter: packFilter(job.terms) };
  packed.positions.set(job.id, position);
  packed.relative.set(weights.relative, position * traitSlotCount);
  packed.effects.set(weights.effects, position * traitSlotCount);
  const slots = Array.from(weights.relative.keys()).filter((slot) => weights.relative[slot] !== 0);
  packed.slots.set(slots, position * traitSlotCount);
  packed.limits.set(
    [weights.shared_sd, computeVectorLength(weights.effects), slots.length, computeLeastListedBound(job.end)],
    position * limitWidth,
  );
}

/** Removes a job. The last job moves to its position. */
export function removeJob(packed: PackedJobs, id: string): void {
  const position = packed.positions.get(id);
  if (position === undefined) return;
  const last = packed.jobs.pop()!;
  packed.positions.delete(id);
  if (last.id === id) return;
  packed.jobs[position] = last;
  packed.positions.set(last.id, position);
  for (const [name, width] of arrayWidths)
    packed[name].copyWithin(position * width, packed.jobs.length * width, (packed.jobs.length + 1) * width);
}

const arrayWidths = [
  ['relative', traitSlotCount],
  ['effects', traitSlotCount],
  ['slots', traitSlotCount],
  ['limits', limitWidth],
] as const;

function createArrays(jobs: number): Pick<PackedJobs, (typeof arrayWidths)[number][0]> {
  return {
    relative: new Float64Array(jobs * traitSlotCount),
    effects: new Float64Array(jobs * traitSlotCount),
    slots: new Uint8Array(jobs * traitSlotCount),
    limits: new Float64Array(jobs * limitWidth),
  };
}

function ensureSpace(packed: PackedJobs, size: number): void {
  if (size * limitWidth <= packed.limits.length) return;
  const larger = createArrays(Math.max(64, Math.ceil(1.5 * size)));
  for (const [name] of arrayWidths) larger[name].set(packed[name]);
  Object.assign(packed, larger);
}

/** Reads the weights of the job at a position. */
function readWeights({ relative, effects, limits }: PackedJobs, position: number): FitWeights {
  const [from, to] = [position * traitSlotCount, (position + 1) * traitSlotCount];
  return {
    relative: relative.subarray(from, to),
    effects: effects.subarray(from, to),
    shared_sd: limits[position * limitWidth]!,
  };
}

/** A member to compare with jobs. */
export type ComparedMember = KnownMember & { readonly member_id: string };

/** The match of a member with a job, whether or not it is stored. */
export type ComparedJob = PackedJob & { readonly match: JobMatch };

/** What a comparison with all jobs finds for a member. */
export type Comparison = {
  /** The compatible jobs for which the member's fit is above average and of the tier moderate or better, without those whose full list ends before. */
  readonly found: readonly ComparedJob[];
  /** The compatible jobs that suit the member best, whatever the tier: at most five. */
  readonly best: readonly ComparedJob[];
};

/** How many matches a member gets whose list would otherwise be empty. */
const best_max = 5;

/** Pairs that are compared without asking for the time: about a millisecond. */
const pairs_in_step = 50_000;

/**
 * Compares members with all jobs of organisations that are not left out, in one pass. Most pairs are decided by the mean of the fit and
 * an upper limit of its lower bound; the others are measured like a match of the job, so that both give the same labels. The jobs must not change meanwhile.
 */
export async function compareMembers(
  packed: PackedJobs,
  members: readonly ComparedMember[],
  leftOut: ReadonlySet<string> = new Set(),
  endLongTurn: () => Promise<void> = createTurnEnder(),
): Promise<readonly Comparison[]> {
  const comparing = members.map(prepareMember);
  const step = Math.max(1, Math.floor(pairs_in_step / Math.max(1, members.length)));
  for (let from = 0; from < packed.jobs.length; from += step) {
    await endLongTurn();
    compareRange(packed, comparing, leftOut, { from, to: Math.min(packed.jobs.length, from + step) });
  }
  return comparing.map(({ found, best }) => ({ found, best }));
}

/** Measures the match of a member with the job of an id; undefined if it is not among the jobs. */
export function measurePackedJob(
  packed: PackedJobs,
  member: ComparedMember,
  job_id: string,
): (ComparedJob & { readonly fits: boolean }) | undefined {
  const position = packed.positions.get(job_id);
  if (position === undefined) return undefined;
  const compared = measurePair(packed, position, prepareMember(member));
  const { terms, match } = compared;
  return {
    ...compared,
    fits: match.fit.mean > 0 && areCompatible(terms, member.terms ?? defaultMemberTerms),
  };
}

/** Says whether there is a job of an organisation that is not left out for which neither side rules the other out. */
export function hasCompatibleJob(
  { jobs }: PackedJobs,
  terms: MemberTerms,
  leftOut: ReadonlySet<string>,
): boolean {
  return jobs.some((job) => areCompatible(job.terms, terms) && !leftOut.has(job.org_id));
}

/** A member during a comparison. */
type ComparingMember = {
  readonly member: ComparedMember & { readonly terms: MemberTerms };
  readonly means: Float64Array;
  readonly facts: PackedFacts;
  readonly leastSd: number;
  /** No job whose lower bound is less can be one of the best. */
  least_best: number;
  readonly found: ComparedJob[];
  best: readonly ComparedJob[];
};

function prepareMember(member: ComparedMember): ComparingMember {
  const terms = member.terms ?? defaultMemberTerms;
  let leastVariance = Infinity;
  for (let trait = 0; trait < traitSlotCount; trait += 1)
    leastVariance = Math.min(leastVariance, member.variance[trait]!);
  return {
    member: { ...member, terms },
    means: computeRelativeMeans(member.mean),
    facts: packFacts(terms, leastVariance),
    leastSd: Math.sqrt(leastVariance),
    least_best: -Infinity,
    found: [],
    best: [],
  };
}

type Range = { readonly from: number; readonly to: number };

function compareRange(
  packed: PackedJobs,
  comparing: readonly ComparingMember[],
  leftOut: ReadonlySet<string>,
  { from, to }: Range,
): void {
  const { jobs, relative, slots, limits } = packed;
  for (let position = from; position < to; position += 1) {
    if (leftOut.size > 0 && leftOut.has(jobs[position]!.org_id)) continue;
    const offset = position * traitSlotCount;
    const end = offset + limits[position * limitWidth + 2]!;
    const shared_sd = limits[position * limitWidth]!;
    const length = limits[position * limitWidth + 1]!;
    const least_found = limits[position * limitWidth + 3]!;
    for (let index = 0; index < comparing.length; index += 1) {
      const each = comparing[index]!;
      const { means } = each;
      let mean = 0;
      // Most jobs ask for a few traits only.
      for (let place = offset; place < end; place += 1) {
        const slot = slots[place]!;
        mean += relative[offset + slot]! * means[slot]!;
      }
      const least = Math.min(least_found, each.least_best);
      if (mean < least) continue;
      if (computeLowerBound(mean, each.leastSd * length, shared_sd) + rounding < least) continue;
      comparePair(packed, position, each);
    }
  }
}

/** More than the rounding of the floating-point numbers of a bound. */
const rounding = 1e-9;

function comparePair(packed: PackedJobs, position: number, each: ComparingMember): void {
  const { filter, terms, end } = packed.jobs[position]!;
  if (!mayBeCompatible(filter, ...each.facts) || !areCompatible(terms, each.member.terms)) return;
  const compared = measurePair(packed, position, each);
  const { fit, quality, choice } = compared.match;
  const isListed = quality !== 'developing' && canEnterList(end, compared.match);
  if (fit.mean > 0 && isListed) each.found.push(compared);
  if (each.best.length === best_max && choice <= each.best.at(-1)!.match.choice) return;
  each.best = [...each.best, compared]
    .toSorted((one, other) => other.match.choice - one.match.choice)
    .slice(0, best_max);
  if (each.best.length === best_max) each.least_best = each.best.at(-1)!.match.choice;
}

function measurePair(
  packed: PackedJobs,
  position: number,
  { member, means }: Pick<ComparingMember, 'member' | 'means'>,
): ComparedJob {
  const { id, org_id, version, terms, end } = packed.jobs[position]!;
  const fit = computePackedFit(packed, position, { member, means });
  return {
    id,
    org_id,
    version,
    terms,
    end,
    match: labelFit(member, fit, { terms, shared_sd: packed.limits[position * limitWidth]! }),
  };
}

function computePackedFit(
  { relative, effects }: PackedJobs,
  position: number,
  { member, means }: Pick<ComparingMember, 'member' | 'means'>,
): Fit {
  const offset = position * traitSlotCount;
  return computeRelativeFit({ relative, effects, offset }, means, member.variance);
}

/** Jobs whose stakes are added up without asking for the time: less than a millisecond. */
const stakes_in_step = 500;

/** Adds up what is at stake for a member over all compatible jobs (`computeTraitStakes`). The jobs must not change meanwhile. */
export async function addUpStakes(
  packed: PackedJobs,
  member: ComparedMember,
  leftOut: ReadonlySet<string> = new Set(),
  endLongTurn: () => Promise<void> = createTurnEnder(),
): Promise<readonly number[]> {
  const prepared = prepareMember(member);
  let stakes = computeTraitStakes([]);
  for (let from = 0; from < packed.jobs.length; from += stakes_in_step) {
    await endLongTurn();
    const matches = packed.jobs.slice(from, from + stakes_in_step).flatMap(({ org_id, terms }, place) => {
      if (leftOut.has(org_id) || !areCompatible(terms, prepared.member.terms)) return [];
      const fit = computePackedFit(packed, from + place, prepared);
      return [{ weights: readWeights(packed, from + place), fit }];
    });
    const added = computeTraitStakes(matches);
    stakes = stakes.map((stake, slot) => stake + added[slot]!);
  }
  return stakes;
}

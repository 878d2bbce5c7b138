import {
  builtInNorms,
  computeSupportedDistance,
  traitCodes,
  type TraitCode,
  type TraitPriorities,
} from '#modules/measurement/traits';
import type { CultureBasis } from '#modules/organisations/culture';
import { type Values, computeFitWeights, toTraitWeights } from '#modules/matching/engine';
import { describeStandings, type Standing } from './standings.ts';
import { computeBelonging, type BasedCulture, type Belonging, type TraitPosterior } from '../belonging.ts';

/** What is known about a member's trait: clearly above average, clearly below it, or neither. */
export type TraitState = 'strength' | 'unclear' | 'growth';

/** The traits and labels of an explanation without its sentences, as it is stored. */
export type Explanation = {
  /** The traits that the job asks for most, the most important first, whether the member has them or not. */
  readonly priorities: readonly { readonly code: TraitCode; readonly state: TraitState }[];
  /** The three to five traits that the job asks for most, in detail. */
  readonly standings: readonly Standing[];
  /** The traits of the job in which the member is clearly above average, the largest contribution first. */
  readonly strengths: readonly TraitCode[];
  /** The traits that the job asks for much and in which the member is clearly below average, the largest loss first. */
  readonly growth: readonly TraitCode[];
  readonly belonging: Belonging;
  /** What the culture profile is based on that belonging was computed from; null if there was none. */
  readonly culture_basis: CultureBasis | null;
  /** The traits of the job that count clearly more or less than its priorities say, because of outcomes of earlier placements; the largest change first. */
  readonly weighed: WeighedTraits;
  /** Whether it follows from parameters that are not yet calibrated. */
  readonly provisional: boolean;
};

/** The same for every match of a job: it says nothing about a member. */
export type WeighedTraits = { readonly more: readonly TraitCode[]; readonly less: readonly TraitCode[] };

/** What a member brings to an explanation: the posterior, and the values that the member has stated; null if there are none. */
export type ExplainedMember = TraitPosterior & {
  readonly provisional: boolean;
  readonly values: Values | null;
};

/** How many of the traits that a job asks for most an explanation names. */
const priorities_max = 2;

/** The lowest priority for which a growth area is named, as a share of the job's highest. */
const growthShare = 0.5;

/** By how much the share of a trait in the fit has to change to be named. */
const named_change = 1.05;
const weighed_max = 3;

/**
 * Explains a match. `job` are the priorities as the organisation set them, and `computed` those that the fit was computed from: multiplied by the policy in use. The order of strengths and
 * what counts as a growth area follow what was computed. The two named priorities are the organisation's own: with each new policy, others would be
 * named, and the organisation would learn about one trait of a person after the other.
 *
 * Strengths are the traits with a priority whose 95 % bounds are above the population's average. Growth areas are the traits with at least half of the
 * highest priority whose bounds are below it. Every named priority has one of the two states or neither, by the same bounds.
 */
export function explainMatch(
  member: ExplainedMember,
  { job, computed }: { readonly job: TraitPriorities; readonly computed: TraitPriorities },
  culture: BasedCulture | undefined,
): Explanation {
  const asked = toTraitWeights(job);
  const weights = toTraitWeights(computed);
  const lowest = growthShare * Math.max(...weights);
  const traits = traitCodes
    .map((code, slot) => ({
      code,
      asked: asked[slot]!,
      weight: weights[slot]!,
      contribution: weights[slot]! * member.mean[slot]!,
      state: findState(member.mean[slot]!, member.variance[slot]!),
    }))
    .filter((trait) => trait.asked > 0);
  return {
    priorities: traits
      .toSorted((one, other) => other.asked - one.asked)
      .slice(0, priorities_max)
      .map(({ code, state }) => ({ code, state })),
    standings: describeStandings(job, member),
    strengths: traits
      .filter(({ state }) => state === 'strength')
      .toSorted((one, other) => other.contribution - one.contribution)
      .map(({ code }) => code),
    growth: traits
      .filter(({ state, weight }) => state === 'growth' && weight >= lowest)
      .toSorted((one, other) => one.contribution - other.contribution)
      .map(({ code }) => code),
    belonging: computeBelonging(member, job, culture),
    culture_basis: culture?.basis ?? null,
    weighed: compareWeights(job, computed),
    provisional: member.provisional,
  };
}

/** Compares the shares of the traits in the fit as it was computed with those by the priorities alone. */
function compareWeights(job: TraitPriorities, computed: TraitPriorities): WeighedTraits {
  if (computed === job) return { more: [], less: [] };
  const [before, after] = [job, computed].map((priorities) => computeShares(priorities));
  const changes = traitCodes
    .map((code, slot) => ({ code, change: after![slot]! / before![slot]! }))
    .filter(({ change }) => change > 0)
    .toSorted((one, other) => one.change - other.change);
  return {
    more: changes
      .filter(({ change }) => change >= named_change)
      .toReversed()
      .slice(0, weighed_max)
      .map(({ code }) => code),
    less: changes
      .filter(({ change }) => change <= 1 / named_change)
      .slice(0, weighed_max)
      .map(({ code }) => code),
  };
}

/** Computes the share of each trait in the fit. It is the same with any norms. */
function computeShares(priorities: TraitPriorities): Float64Array {
  const { relative } = computeFitWeights(priorities, builtInNorms);
  const total = relative.reduce((sum, weight) => sum + weight, 0);
  return relative.map((weight) => weight / total);
}

function findState(mean: number, variance: number): TraitState {
  const distance = computeSupportedDistance({ mean, variance });
  if (distance > 0) return 'strength';
  return distance < 0 ? 'growth' : 'unclear';
}

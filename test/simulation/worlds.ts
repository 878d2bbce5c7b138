import { logistic } from '@tessera/psychometrics';
import {
  createSeededRandom,
  drawBelow,
  drawStandardNormal,
  type Random,
} from '@tessera/psychometrics/seeded-random';
import { neutralMultipliers } from '#modules/matching/matches';
import { builtInNorms, traitCodes, traitFamilies, type TraitPriorities } from '#modules/measurement/traits';
import { feature_count, trait_count } from '../../src/modules/matching/learning/estimation/features.ts';
import { computeFitWeights, computeRelativeMeans } from '../../src/modules/matching/engine/fit.ts';

/**
 * The worlds in which learning is measured. They follow from the figures of the study that this project started from, before any learner has run in them: twenty candidates a job, coefficients that
 * differ from the prior of 1 with a standard deviation of 0.45, and a regret of 0.095 a placement by equal weights. The traits are standard normal, so that the slope of the fit is √20.
 * The intercept is then one of the two at which the regret is 0.095. Every other world changes one thing.
 */
export const worlds = {
  /** Three placements of four by the priorities are good. */
  study: { deviation: 0.45, slope: Math.sqrt(trait_count), intercept: -5.6 },
  /** The other intercept at which the regret is 0.095: little more than half of the placements are good. */
  more_failures: { deviation: 0.45, slope: Math.sqrt(trait_count), intercept: -7.8 },
  /** Each job asks for five to eight traits, traits are correlated as in the population, and the jobs of two families differ. */
  own_priorities: {
    deviation: 0.45,
    slope: Math.sqrt(trait_count),
    intercept: -7.8,
    family_deviation: 0.2,
  },
  /** As the service shows matches: organisations choose from the three best of each list, whose order is random. So do they with their priorities alone. */
  shown_in_tiers: { deviation: 0.45, slope: Math.sqrt(trait_count), intercept: -5.6, tier_candidates: 3 },
  /** The organisations' priorities are nearly right. */
  nearly_right: { deviation: 0.2, slope: Math.sqrt(trait_count), intercept: -7.8 },
  /** The true weights are drawn again after half of the placements. */
  changing: { deviation: 0.45, slope: Math.sqrt(trait_count), intercept: -5.6, changes_after: 6_000 },
  /** The fit predicts outcomes as weakly as in the literature: a correlation of about a third. */
  weak: { deviation: 0.45, slope: 0.75, intercept: -1.4 },
} as const satisfies Readonly<Record<string, WorldRule>>;

type WorldRule = {
  readonly deviation: number;
  readonly slope: number;
  readonly intercept: number;
  /** If it is there, jobs have priorities of their own, and those of each family differ from all jobs by this standard deviation. */
  readonly family_deviation?: number;
  /** If it is there, one of so many best candidates is placed, each with the same probability; otherwise, placements follow a softmax of the fit. */
  readonly tier_candidates?: number;
  /** After how many placements the true weights change. */
  readonly changes_after?: number;
};

export type WorldName = keyof typeof worlds;

/** A world in which outcomes follow the fit with other weights than the organisations' priorities. */
export type World = {
  readonly random: Random;
  readonly rule: WorldRule;
  /** The true multipliers of the priorities, by job family. */
  truth: Readonly<Record<string, readonly number[]>>;
};

/** A job with its candidates, as rows of features, and how probable a good outcome is with each. */
export type SimulatedJob = {
  readonly occupation_group: string;
  readonly candidates: Float64Array;
  readonly values: Float64Array;
};

const candidates_count = 20;
export const families = ['15', '29'] as const;

export function createWorld(seed: number, name: WorldName = 'study'): World {
  const random = createSeededRandom(seed);
  const rule = worlds[name];
  return { random, rule, truth: drawTruth(random, rule) };
}

/** Draws the true weights again. */
export function changeWorld(world: World): void {
  world.truth = drawTruth(world.random, world.rule);
}

function drawTruth(random: Random, { deviation, family_deviation = 0 }: WorldRule): World['truth'] {
  const all = neutralMultipliers.map(() => 1 + deviation * drawStandardNormal(random));
  return Object.fromEntries(
    families.map((family) => [
      family,
      family_deviation === 0 ? all : all.map((each) => each + family_deviation * drawStandardNormal(random)),
    ]),
  );
}

export function drawJob({ random, rule, truth }: World): SimulatedJob {
  const occupation_group = families[drawBelow(random, families.length)]!;
  const candidates =
    rule.family_deviation === undefined ? drawEqualCandidates(random) : drawOwnCandidates(random);
  const values = new Float64Array(candidates_count);
  for (let row = 0; row < candidates_count; row += 1) {
    let sum = 0;
    for (let trait = 0; trait < trait_count; trait += 1)
      sum += truth[occupation_group]![trait]! * candidates[row * feature_count + trait]!;
    values[row] = logistic(rule.intercept + rule.slope * sum);
  }
  return { occupation_group, candidates, values };
}

/** Candidates of a job with equal priorities, whose fit has a standard deviation of 1. */
function drawEqualCandidates(random: Random): Float64Array {
  return drawRows(random, () =>
    Float64Array.from({ length: trait_count }, () => drawStandardNormal(random) / Math.sqrt(trait_count)),
  );
}

/** Candidates of a job with priorities of its own, by the formula of the service. */
function drawOwnCandidates(random: Random): Float64Array {
  const { relative } = computeFitWeights(drawPriorities(random), builtInNorms);
  return drawRows(random, () => {
    const means = computeRelativeMeans(drawTraits(random));
    return means.map((mean, trait) => relative[trait]! * mean);
  });
}

function drawRows(random: Random, drawTraitFeatures: () => Float64Array): Float64Array {
  const rows = new Float64Array(candidates_count * feature_count);
  for (let from = 0; from < rows.length; from += feature_count) {
    rows.set(drawTraitFeatures(), from);
    for (let place = trait_count; place < feature_count - 1; place += 1) rows[from + place] = random() - 0.5;
    rows[from + feature_count - 1] = 1;
  }
  return rows;
}

function drawPriorities(random: Random): TraitPriorities {
  const count = 5 + drawBelow(random, 4);
  const codes = traitCodes
    .map((code) => ({ code, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .slice(0, count);
  return Object.fromEntries(codes.map(({ code }) => [code, 0.3 + 0.7 * random()]));
}

/** Traits with the correlations of the prior of the service: 0.4 within a family, 0.1 across. */
function drawTraits(random: Random): readonly number[] {
  const general = drawStandardNormal(random);
  return Object.values(traitFamilies).flatMap((family) => {
    const shared = drawStandardNormal(random);
    return family.map(
      () => Math.sqrt(0.1) * general + Math.sqrt(0.3) * shared + Math.sqrt(0.6) * drawStandardNormal(random),
    );
  });
}

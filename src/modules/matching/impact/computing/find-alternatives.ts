import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { computeFitWeights } from '#modules/matching/engine';
import {
  continuousTraits,
  toTraitSlot,
  type ContinuousTrait,
  type TraitNorms,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { computeLowestRatio, four_fifths, multiply, type Groups } from './compute-impact.ts';
import { computePooledCovariance, type GroupMoments, type Matrix } from './group-moments.ts';

/** The least correlation of the fit with the fit as first set, for alternatives that are near and for those that are farther away. */
const least_correlations = { near: 0.95, farther: 0.85 } as const;

/** How far an alternative is from the priorities as first set. */
export type Distance = keyof typeof least_correlations;

export const distances = Object.keys(least_correlations) as readonly Distance[];

/** Priorities with less impact, and the correlation of their fit with the fit as first set, over the members who were measured. */
export type Alternative = {
  readonly distance: Distance;
  readonly trait_priorities: TraitPriorities;
  readonly correlation: number;
};

/** Alternatives aim above four fifths, because other people are matched than those who were measured. */
const aimed_ratio = 0.9;

/** What a ratio below the aim costs, compared with a lower correlation. With the first, alternatives are nearest. */
const penalties = [0.02, 0.04, 0.08, 0.15, 0.3, 0.6, 1.2, 2.5, 5] as const;

/** Priorities change by these steps, to places that the sliders of the console have. */
const steps = [0.2, 0.1, 0.05] as const;
const places = 20;

/** Each trait is tried so often with a step. Nearly all searches end earlier, because nothing improves. */
const rounds_max = 8;

/** A smaller improvement is not worth another fit. */
const least_improvement = 0.02;

/**
 * Finds the nearest priorities with less impact. Priorities are changed one at a time as long as 1 - r + penalty · Σ max(0, log(0.9 / the lowest ratio of an attribute)) falls, and each penalty
 * begins where the one before has led. So the same priorities and groups have the same alternatives. The first on this way that reaches the aim is offered, otherwise the one with the
 * least impact; one that is farther away, if the near one stays below four fifths.
 */
export async function findAlternatives(
  first: TraitPriorities,
  attributes: readonly Groups[],
  norms: TraitNorms,
): Promise<readonly Alternative[]> {
  const path = await walk(first, attributes, norms);
  const near = choosePlace(path, 'near');
  if (near && near.lowest_ratio >= four_fifths) return [toAlternative(near, 'near')];
  const farther = choosePlace(path, 'farther');
  return [
    ...(near ? [toAlternative(near, 'near')] : []),
    ...(farther && farther !== near ? [toAlternative(farther, 'farther')] : []),
  ];
}

function toAlternative({ priorities, correlation }: Place, distance: Distance): Alternative {
  return { distance, trait_priorities: priorities, correlation };
}

/** Priorities on the way, and what they lead to. */
type Place = {
  readonly priorities: TraitPriorities;
  readonly correlation: number;
  readonly lowest_ratio: number;
  /** How far the ratios are below the aim: the sum of logarithms. */
  readonly shortfall: number;
};

function choosePlace([first, ...others]: readonly Place[], distance: Distance): Place | undefined {
  const allowed = others.filter(
    ({ correlation, shortfall }) =>
      correlation >= least_correlations[distance] && shortfall < first!.shortfall - least_improvement,
  );
  return allowed.find(({ shortfall }) => shortfall === 0) ?? allowed.at(-1);
}

/** Goes from the priorities as first set to the farthest that may be offered. */
async function walk(
  first: TraitPriorities,
  attributes: readonly Groups[],
  norms: TraitNorms,
): Promise<readonly Place[]> {
  const covariance = computePooledCovariance(findLargest(attributes));
  const search: Search = {
    traits: continuousTraits.filter((code) => covariance[toTraitSlot(code)]![toTraitSlot(code)]! > 0),
    measure: createMeasure(first, { attributes, norms, covariance }),
    endLongTurn: createTurnEnder(),
  };
  const path = [search.measure(first)];
  for (const penalty of penalties) {
    const last = path.at(-1)!;
    if (last.shortfall === 0 || last.correlation < least_correlations.farther) break;
    path.push(await improve(last, penalty, search));
  }
  return path;
}

type Search = {
  /** The traits in which members differ. */
  readonly traits: readonly ContinuousTrait[];
  readonly measure: (priorities: TraitPriorities) => Place;
  readonly endLongTurn: () => Promise<void>;
};

/** Changes priorities, first by large steps, as long as that lowers the cost. */
async function improve(start: Place, penalty: number, search: Search): Promise<Place> {
  let best = start;
  for (const step of steps)
    for (let round = 0, before; round < rounds_max && before !== best; round++) {
      before = best;
      for (const code of search.traits) {
        await search.endLongTurn();
        const others = [-step, step].flatMap((change) => changePriority(best.priorities, code, change) ?? []);
        best = findCheapest([best, ...others.map(search.measure)], penalty);
      }
    }
  return best;
}

/** Finds the place with the lowest cost; of equal ones, the first. */
function findCheapest(list: readonly Place[], penalty: number): Place {
  const computeCost = ({ correlation, shortfall }: Place) => 1 - correlation + penalty * shortfall;
  return list.reduce((best, each) => (computeCost(each) < computeCost(best) ? each : best));
}

/** Lists the groups of the attribute that most people have stated. */
function findLargest(attributes: readonly Groups[]): readonly GroupMoments[] {
  const count = (groups: Groups) => [...groups.values()].reduce((sum, { people }) => sum + people, 0);
  return [...attributes.toSorted((one, other) => count(other) - count(one))[0]!.values()];
}

function createMeasure(
  first: TraitPriorities,
  {
    attributes,
    norms,
    covariance,
  }: { readonly attributes: readonly Groups[]; readonly norms: TraitNorms; readonly covariance: Matrix },
): (priorities: TraitPriorities) => Place {
  const own = computeFitWeights(first, norms).effects;
  const own_variance = multiply(own, covariance, own);
  return (priorities) => {
    const weights = computeFitWeights(priorities, norms);
    const { effects } = weights;
    const scale = Math.sqrt(own_variance * multiply(effects, covariance, effects));
    const ratios = attributes.map((groups) => computeLowestRatio(weights, groups));
    return {
      priorities,
      correlation: Math.min(1, multiply(effects, covariance, own) / scale),
      lowest_ratio: Math.min(...ratios),
      shortfall: ratios.reduce((sum, ratio) => sum + Math.max(0, Math.log(aimed_ratio / ratio)), 0),
    };
  };
}

/** Changes a priority; undefined if it is at the end already, or no trait would be left. */
function changePriority(
  priorities: TraitPriorities,
  code: ContinuousTrait,
  change: number,
): TraitPriorities | undefined {
  const { [code]: before = 0, ...others } = priorities;
  const value = Math.round(places * Math.min(1, Math.max(0, before + change))) / places;
  if (value === before) return undefined;
  if (value > 0) return { ...others, [code]: value };
  return Object.values(others).some((each) => each > 0) ? others : undefined;
}

import { createSeededRandom, drawBelow, type Random } from '@tessera/psychometrics/seeded-random';
import {
  categoricalTraitCodes,
  computeCategoricalPosterior,
  traitCodes,
  type Answer,
  type LatentVector,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { computeFit, computeFitWeights, type FitWeights } from '../../src/modules/matching/engine/fit.ts';
import { computeTier } from '../../src/modules/matching/engine/tiers.ts';
import { computeTraitStakes } from '../../src/modules/matching/engine/trait-stakes.ts';
import { itemBank, requireItem } from '../../src/modules/measurement/traits/items/item-bank.ts';
import {
  chooseNextItem,
  stoppingRule,
  type TraitStakes,
  toTraitStakes,
} from '../../src/modules/measurement/traits/measurement/next-item.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import {
  simulateMember,
  simulateOption,
  type SimulatedMember,
} from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import {
  first_stage_items,
  items_per_result,
} from '../../src/modules/measurement/traits/measurement/stages.ts';
import { buildLatentVector } from '../../src/modules/measurement/traits/measurement/trait-vector.ts';

/** How far the tiers of the matches still are from those of the whole assessment, after so many items. */
export type DeepeningPoint = {
  readonly items: number;
  /** The share of matches with a fit above average whose tier differs from that of the true traits: items by stakes, and without. */
  readonly byStakes: number;
  readonly byCount: number;
};

const points = [0, 1, 2, 3, 4].map((step) => first_stage_items + step * items_per_result);
const jobs_count = 12;

/** Deepens the same first stages in two ways and compares the tiers of twelve jobs a member with the tiers of the true fits. */
export function measureDeepening(size: number): readonly DeepeningPoint[] {
  const random = createSeededRandom(44);
  const differing = points.map(() => ({ byStakes: 0, byCount: 0, count: 0 }));
  for (let index = 0; index < size; index++) {
    const member = simulateMember(random);
    const jobs = Array.from({ length: jobs_count }, () => computeFitWeights(drawPriorities(random)));
    const seed = `deepening-${index}`;
    const first = answerItems(member, seed, [], first_stage_items, undefined, random);
    const runs = {
      byStakes: simulateDeepening(member, seed, first, jobs, true, random),
      byCount: simulateDeepening(member, seed, first, jobs, false, random),
    };
    for (const [step, items] of points.entries())
      for (const job of jobs) {
        const truth = computeTrueTier(member, job);
        differing[step]!.count += 1;
        for (const way of ['byStakes', 'byCount'] as const)
          differing[step]![way] += Number(findTier(runs[way].slice(0, items), job) !== truth);
      }
  }
  return points.map((items, step) => {
    const { byStakes, byCount, count } = differing[step]!;
    return { items, byStakes: byStakes / count, byCount: byCount / count };
  });
}

/** Draws priorities like those of a job: five of the continuous traits. */
function drawPriorities(random: Random): TraitPriorities {
  const codes = itemBank.traits.toSorted(() => random() - 0.5).slice(0, 5);
  return Object.fromEntries(codes.map((code) => [code, 0.2 + 0.2 * drawBelow(random, 5)]));
}

function simulateDeepening(
  member: SimulatedMember,
  seed: string,
  first: readonly Answer[],
  jobs: readonly FitWeights[],
  usesStakes: boolean,
  random: Random,
): readonly Answer[] {
  let answers = first;
  for (const items of points.slice(1)) {
    const stakes = usesStakes ? computeStakes(measure(answers), jobs) : undefined;
    answers = answerItems(member, seed, answers, items, stakes, random);
  }
  return answers;
}

function computeStakes(
  { mean, variance }: LatentVector,
  jobs: readonly FitWeights[],
): TraitStakes | undefined {
  return toTraitStakes(
    computeTraitStakes(jobs.map((weights) => ({ weights, fit: computeFit(weights, mean, variance) }))),
  );
}

function answerItems(
  member: SimulatedMember,
  seed: string,
  start: readonly Answer[],
  items: number,
  stakes: TraitStakes | undefined,
  random: Random,
): readonly Answer[] {
  const answers = [...start];
  while (answers.length < items) {
    const item = chooseNextItem(answers, seed, itemBank, stoppingRule, stakes);
    if (item === undefined) break;
    answers.push({ item_id: item.id, option: simulateOption(member, requireItem(item.id), random) });
  }
  return answers;
}

function measure(answers: readonly Answer[]): LatentVector {
  return buildLatentVector(
    computePosterior(answers),
    categoricalTraitCodes.map((trait) => computeCategoricalPosterior(trait, answers)),
  );
}

function findTier(answers: readonly Answer[], job: FitWeights): string {
  const { mean, variance } = measure(answers);
  const fit = computeFit(job, mean, variance);
  return computeTier(fit.mean, fit.sd);
}

/** The tier of the true traits, known without error. The jobs weigh only continuous traits. */
function computeTrueTier({ traits }: SimulatedMember, job: FitWeights): string {
  const truth = traitCodes.map((code) => traits[itemBank.traits.findIndex((trait) => trait === code)] ?? 0);
  return computeTier(computeFit(job, truth, Array(traitCodes.length).fill(0)).mean, 0);
}

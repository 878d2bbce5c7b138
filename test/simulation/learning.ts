import { neutralMultipliers } from '#modules/matching';
import { createSeededRandom, drawBelow, drawStandardNormal, type Random } from '#lib/seeded-random.ts';
import {
  boundMultiplier,
  deriveMultipliers,
} from '../../src/modules/learning/estimation/derive-multipliers.ts';
import { listRefusalReasons } from '../../src/modules/learning/estimation/decide-promotion.ts';
import {
  computeChoiceProbabilities,
  estimateGain,
  type Choice,
} from '../../src/modules/learning/estimation/estimate-gain.ts';
import {
  feature_count,
  joinOutcomes,
  logistic,
  trait_count,
} from '../../src/modules/learning/estimation/features.ts';
import { buildPrior, fitOutcomes } from '../../src/modules/learning/estimation/fit-outcomes.ts';

/** A world in which outcomes follow the fit with other weights than the organisations' priorities. */
export type World = {
  readonly random: Random;
  /** The true multipliers of the priorities. */
  readonly truth: readonly number[];
};

const candidates_count = 20;
const organisations_count = 60;
const intercept = -7.5;
const slope = Math.sqrt(trait_count);

/** How sharply placements follow the fit: the temperature of the softmax. */
export const exploration = 0.07;

/** Creates a world whose true multipliers differ from the priorities with a standard deviation of 0.45. */
export function createWorld(seed: number): World {
  const random = createSeededRandom(seed);
  const truth = Array.from({ length: trait_count }, () => 1 + 0.45 * drawStandardNormal(random));
  return { random, truth };
}

/** Draws the candidates of a job, as rows of features: equal priorities, so that their sum, the fit, has a standard deviation of 1. */
export function drawCandidates({ random }: World): Float64Array {
  const features = new Float64Array(candidates_count * feature_count);
  for (let index = 0; index < candidates_count; index += 1) {
    const from = index * feature_count;
    for (let trait = 0; trait < trait_count; trait += 1)
      features[from + trait] = drawStandardNormal(random) / Math.sqrt(trait_count);
    for (let place = trait_count; place < feature_count - 1; place += 1)
      features[from + place] = random() - 0.5;
    features[from + feature_count - 1] = 1;
  }
  return features;
}

/** Computes how probable a good outcome is with each of the candidates. */
export function computeTruth({ truth }: World, candidates: Float64Array): Float64Array {
  const values = new Float64Array(candidates.length / feature_count);
  for (let index = 0; index < values.length; index += 1) {
    let sum = 0;
    for (let trait = 0; trait < trait_count; trait += 1)
      sum += truth[trait]! * candidates[index * feature_count + trait]!;
    values[index] = logistic(intercept + slope * sum);
  }
  return values;
}

/** Places one of the candidates by a policy, and logs what was chosen with its propensity. */
export function placeOne(
  world: World,
  multipliers: readonly number[],
  temperature = exploration,
): { readonly choice: Choice; readonly regret: number } {
  const candidates = drawCandidates(world);
  const truth = computeTruth(world, candidates);
  const probabilities = computeChoiceProbabilities(candidates, multipliers, temperature);
  const chosen = drawIndex(world.random, probabilities);
  const value = world.random() < truth[chosen]! ? 1 : 0;
  return {
    choice: {
      candidates: putFirst(candidates, chosen),
      propensity: probabilities[chosen]!,
      value,
      weight: 1,
      org_id: String(drawBelow(world.random, organisations_count)),
      occupation_group: null,
    },
    regret: Math.max(...truth) - truth[chosen]!,
  };
}

function drawIndex(random: Random, probabilities: Float64Array): number {
  let rest = random();
  for (let index = 0; index < probabilities.length - 1; index += 1) {
    rest -= probabilities[index]!;
    if (rest < 0) return index;
  }
  return probabilities.length - 1;
}

function putFirst(candidates: Float64Array, chosen: number): Float64Array {
  const sorted = Float64Array.from(candidates);
  sorted.copyWithin(chosen * feature_count, 0, feature_count);
  sorted.set(candidates.subarray(chosen * feature_count, (chosen + 1) * feature_count), 0);
  return sorted;
}

/** How many placements pass before an outcome is known, and after how many outcomes a candidate is built. */
const delay_placements = 500;
const batch_outcomes = 250;

export type LoopResult = {
  readonly regret: number;
  /** What the organisations' own priorities, and always the best fit, would have cost in the same jobs. */
  readonly static_regret: number;
  readonly promoted: number;
  readonly refused: number;
};

/** Runs the whole loop: placements, delayed outcomes, candidates, and promotion by the rules of the service. */
export function simulateLoop(seed: number, placements: number): LoopResult {
  const world = createWorld(seed);
  let live = neutralMultipliers;
  const choices: Choice[] = [];
  const result = { regret: 0, static_regret: 0, promoted: 0, refused: 0 };
  let start = buildPrior().mean;
  for (let placement = 1; placement <= placements; placement += 1) {
    const { choice, regret } = placeOne(world, live);
    choices.push(choice);
    result.regret += regret;
    result.static_regret += computeStaticRegret(world, choice);
    const known = placement - delay_placements;
    if (known <= 0 || known % batch_outcomes !== 0) continue;
    const round = runRound(choices.slice(0, known), live, start);
    start = round.model;
    if (round.candidate && round.isPromoted) [live, result.promoted] = [round.candidate, result.promoted + 1];
    else result.refused += 1;
  }
  return result;
}

function computeStaticRegret(world: World, { candidates }: Choice): number {
  const truth = computeTruth(world, candidates);
  const greedy = computeChoiceProbabilities(candidates, neutralMultipliers, 1e-6);
  return Math.max(...truth) - truth[greedy.indexOf(Math.max(...greedy))]!;
}

/** Fits the outcomes of three jobs in five, and evaluates the candidate with the others. */
function runRound(choices: readonly Choice[], live: readonly number[], start: Float64Array) {
  const training = choices.filter((_, index) => index % 5 < 3);
  const model = fitChoices(training, start);
  const candidate = deriveMultipliers(model, live);
  if (!candidate) return { model, candidate, isPromoted: false };
  const evaluation = choices.filter((_, index) => index % 5 >= 3);
  const estimate = estimateGain(evaluation, {
    live: () => live,
    candidate: () => candidate,
    model: () => model,
    temperature: exploration,
  });
  const steps = candidate.map((multiplier, trait) => multiplier - live[trait]!);
  return { model, candidate, isPromoted: listRefusalReasons(estimate, [], steps).length === 0 };
}

/** Fits the outcome model to placements. */
export function fitChoices(choices: readonly Choice[], start = buildPrior().mean): Float64Array {
  const rows = choices.map(({ candidates, value, weight }) => ({
    features: candidates.subarray(0, feature_count),
    value,
    weight,
  }));
  return fitOutcomes(buildPrior(), joinOutcomes(rows), start).mean;
}

/** Builds a candidate one step from the priorities: towards the truth, which helps, or away from it, which does harm. */
export function plantCandidate({ truth }: World, kind: 'good' | 'harmful'): readonly number[] {
  const sign = kind === 'good' ? 1 : -1;
  return truth.map((multiplier) => boundMultiplier(1 + sign * (multiplier - 1) * 10, 1));
}

/** Plants a candidate in a world of its own with outcomes of the priorities as they are. @returns whether the rules promote it. */
export function isPlantPromoted(seed: number, kind: 'good' | 'harmful', placements: number): boolean {
  const world = createWorld(seed);
  const choices = Array.from({ length: placements }, () => placeOne(world, neutralMultipliers).choice);
  const model = fitChoices(choices.filter((_, index) => index % 5 < 3));
  const candidate = plantCandidate(world, kind);
  const evaluation = choices.filter((_, index) => index % 5 >= 3);
  const estimate = estimateGain(evaluation, {
    live: () => neutralMultipliers,
    candidate: () => candidate,
    model: () => model,
    temperature: exploration,
  });
  return (
    listRefusalReasons(
      estimate,
      [],
      candidate.map((each) => each - 1),
    ).length === 0
  );
}

import {
  all_jobs,
  neutralMultipliers,
  selectMultipliers,
  type PolicyMultipliers,
} from '#modules/matching/matches';
import { drawBelow, type Random } from '@tessera/psychometrics/seeded-random';
import {
  buildModels,
  type OutcomeModels,
} from '../../src/modules/matching/learning/estimation/build-models.ts';
import {
  boundMultiplier,
  policyBounds,
} from '../../src/modules/matching/learning/estimation/derive-multipliers.ts';
import { listRefusalReasons } from '../../src/modules/matching/learning/estimation/decide-promotion.ts';
import {
  computeChoiceProbabilities,
  type Choice,
} from '../../src/modules/matching/learning/estimation/estimate-gain.ts';
import { feature_count } from '../../src/modules/matching/learning/estimation/features.ts';
import { limitWeights } from '../../src/modules/matching/learning/estimation/limit-weights.ts';
import { comparePolicies, listSteps } from '../../src/modules/matching/learning/evaluate-policy.ts';
import { computeNextMultipliers } from '../../src/modules/matching/learning/propose-policy.ts';
import { half_life_days } from '../../src/modules/matching/learning/rules.ts';
import { changeWorld, createWorld, drawJob, families, type World, type WorldName } from './worlds.ts';

/** How sharply placements follow the fit, in standard deviations of it: the temperature of the softmax. */
export const exploration = 0.07;

const organisations_count = 60;

/** How many placements pass before an outcome is known, and after how many outcomes a candidate is built. */
const delay_placements = 500;
const batch_outcomes = 250;

/** The delay stands for 90 days, the middle one of the three stages of feedback. */
const half_life_placements = (half_life_days / 90) * delay_placements;

/** A placement whose outcome is known later. */
type Placement = Choice & { readonly member_id: string; readonly features: number[] };

/**
 * Organisations that have agreed to lie: whatever became of a placement, they say that it was good exactly if the member has little of the first trait.
 */
export type Ring = {
  /** The share of all organisations. */
  readonly share: number;
  /** How many placements each has for one of another organisation. */
  readonly volume: number;
};

/** Places one of the candidates of a job by a policy, and logs what was chosen with its propensity. */
export function placeOne(
  world: World,
  policy: PolicyMultipliers,
  number: number,
  ring?: Ring,
): { readonly placement: Placement; readonly regret: number; readonly static_regret: number } {
  const { candidates, values, occupation_group } = drawJob(world);
  const { tier_candidates } = world.rule;
  const multipliers = selectMultipliers(policy, occupation_group);
  const probabilities = computeShares(candidates, { multipliers, tier_candidates });
  const chosen = drawIndex(world.random, probabilities);
  const best = Math.max(...values);
  const shown = listShown(candidates, { probabilities, chosen });
  const placement = {
    candidates: shown,
    features: [...shown.subarray(0, feature_count)],
    propensity: probabilities[chosen]!,
    value: world.random() < values[chosen]! ? 1 : 0,
    weight: 1,
    org_id: String(drawBelow(world.random, organisations_count)),
    member_id: String(number),
    occupation_group,
  };
  const alone = { multipliers: neutralMultipliers, tier_candidates: tier_candidates ?? 1 };
  const expected = computeShares(candidates, alone).reduce(
    (sum, share, row) => sum + share * values[row]!,
    0,
  );
  return {
    placement: ring && ring.share > 0 ? giveToRing(world, placement, ring) : placement,
    regret: best - values[chosen]!,
    static_regret: best - expected,
  };
}

/** Gives a placement to the ring as often as it has one, with what it says about it. */
function giveToRing({ random }: World, placement: Placement, { share, volume }: Ring): Placement {
  const members = Math.round(share * organisations_count);
  const placements = members * volume;
  if (random() >= placements / (placements + organisations_count - members)) {
    const org_id = String(members + drawBelow(random, organisations_count - members));
    return { ...placement, org_id };
  }
  return {
    ...placement,
    org_id: String(drawBelow(random, members)),
    value: placement.features[0]! < 0 ? 1 : 0,
  };
}

/** How probable it is that each candidate is placed: the same for the best few, or a softmax of the fit. */
function computeShares(
  candidates: Float64Array,
  {
    multipliers,
    tier_candidates,
  }: { readonly multipliers: readonly number[]; readonly tier_candidates: number | undefined },
): Float64Array {
  const softmax = computeChoiceProbabilities(candidates, multipliers, exploration);
  if (tier_candidates === undefined) return softmax;
  const lowest = softmax.toSorted().at(-tier_candidates)!;
  return softmax.map((share) => (share >= lowest ? 1 / tier_candidates : 0));
}

/** Lists the candidates who could have been placed, the chosen one first. */
function listShown(
  candidates: Float64Array,
  { probabilities, chosen }: { readonly probabilities: Float64Array; readonly chosen: number },
): Float64Array {
  const others = [...probabilities.keys()].filter((row) => row !== chosen && probabilities[row]! > 0);
  const shown = new Float64Array((others.length + 1) * feature_count);
  for (const [place, row] of [chosen, ...others].entries())
    shown.set(candidates.subarray(row * feature_count, (row + 1) * feature_count), place * feature_count);
  return shown;
}

function drawIndex(random: Random, probabilities: Float64Array): number {
  let rest = random();
  for (let index = 0; index < probabilities.length - 1; index += 1) {
    rest -= probabilities[index]!;
    if (rest < 0) return index;
  }
  return probabilities.length - 1;
}

export type LoopResult = {
  readonly regret: number;
  /** What the organisations' own priorities, and always the best fit, would have cost in the same jobs. */
  readonly static_regret: number;
  readonly promoted: number;
  readonly refused: number;
  /** What the priority of the first trait is multiplied by in the end. */
  readonly first_multiplier: number;
};

/** Runs the whole loop: placements, delayed outcomes, candidates, and promotion by the rules of the service, without the fairness gate. */
export function simulateLoop(name: WorldName, seed: number, placements: number, ring?: Ring): LoopResult {
  const world = createWorld(seed, name);
  let live: PolicyMultipliers = {};
  const known: Placement[] = [];
  const result = { regret: 0, static_regret: 0, promoted: 0, refused: 0 };
  for (let number = 1; number <= placements; number += 1) {
    if (number - 1 === world.rule.changes_after) changeWorld(world);
    const { placement, regret, static_regret } = placeOne(world, live, number, ring);
    known.push(placement);
    result.regret += regret;
    result.static_regret += static_regret;
    const outcomes = number - delay_placements;
    if (outcomes <= 0 || outcomes % batch_outcomes !== 0) continue;
    const candidate = promoteNext(known.slice(0, outcomes), live);
    if (candidate) [live, result.promoted] = [candidate, result.promoted + 1];
    else result.refused += 1;
  }
  return { ...result, first_multiplier: selectMultipliers(live, families[0])[0]! };
}

/** Builds a candidate from three outcomes in five, and returns it if the others allow its promotion. */
function promoteNext(
  placements: readonly Placement[],
  live: PolicyMultipliers,
): PolicyMultipliers | undefined {
  const faded = weighByAge(placements);
  const models = buildModels(faded.filter((_, index) => !isEvaluating(index)));
  const candidate = models && computeNextMultipliers(models, live);
  if (!candidate) return undefined;
  const evaluation = faded.filter((_, index) => isEvaluating(index));
  return mayPromote(evaluation, { models, live, candidate }) ? candidate : undefined;
}

function weighByAge(placements: readonly Placement[]): readonly Placement[] {
  return placements.map((each, index) => ({
    ...each,
    weight: 2 ** (-(placements.length - index) / half_life_placements),
  }));
}

export function isEvaluating(index: number): boolean {
  return index % 5 >= 3;
}

function mayPromote(
  placements: readonly Placement[],
  compared: {
    readonly models: OutcomeModels;
    readonly live: PolicyMultipliers;
    readonly candidate: PolicyMultipliers;
  },
): boolean {
  const weights = limitWeights(placements);
  const { trust } = compared.models;
  const choices = placements.map((each, index) => ({
    ...each,
    weight: weights[index]! * (trust.get(each.org_id) ?? 1),
  }));
  const estimate = comparePolicies(choices, compared);
  return listRefusalReasons(estimate, [], listSteps(compared.live, compared.candidate)).length === 0;
}

/** What a planted candidate does: help, or harm by a full, a half or a quarter of a step, or in a quarter of the traits only. */
export const plants = ['good', 'harmful', 'half_harmful', 'quarter_harmful', 'five_traits_harmful'] as const;
type Plant = (typeof plants)[number];

/** Builds a candidate from the priorities as they are, at most one step towards the truth, which helps, or away from it, which does harm. */
function plantCandidate({ truth }: World, plant: Plant): PolicyMultipliers {
  const share = plant === 'half_harmful' ? 1 / 2 : plant === 'quarter_harmful' ? 1 / 4 : 1;
  const sign = plant === 'good' ? 1 : -1;
  const moved = truth[families[0]]!.map((multiplier, trait) => {
    if (plant === 'five_traits_harmful' && trait % 4 !== 0) return 1;
    return boundMultiplier(1 + sign * share * Math.sign(multiplier - 1) * policyBounds.step_max, 1);
  });
  return { [all_jobs]: moved };
}

/** Plants candidates in a world with outcomes of the priorities as they are, one after the other. @returns those that the rules promote. */
export function listPromotedPlants(seed: number, placements: number): readonly Plant[] {
  const world = createWorld(seed);
  const known = Array.from({ length: placements }, (_, number) => placeOne(world, {}, number).placement);
  const models = buildModels(known.filter((_, index) => !isEvaluating(index)));
  if (!models) return [];
  const evaluation = known.filter((_, index) => isEvaluating(index));
  return plants.filter((plant) =>
    mayPromote(evaluation, { models, live: {}, candidate: plantCandidate(world, plant) }),
  );
}

/** Computes the value of a policy in a job: how probable a good outcome is, if a softmax of the fit chooses. */
export function computeTrueValue(
  { candidates, values }: { readonly candidates: Float64Array; readonly values: Float64Array },
  multipliers: readonly number[],
): number {
  const probabilities = computeChoiceProbabilities(candidates, multipliers, exploration);
  return probabilities.reduce((sum, probability, row) => sum + probability * values[row]!, 0);
}

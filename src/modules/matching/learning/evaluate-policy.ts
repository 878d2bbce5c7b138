import { all_jobs, selectMultipliers, type PolicyMultipliers } from '#modules/matching/matches';
import { buildModels, selectModel, type OutcomeModels } from './estimation/build-models.ts';
import type { Trust } from './estimation/fit-trusted.ts';
import { limitWeights } from './estimation/limit-weights.ts';
import { isRegression, listRefusalReasons, type RefusalReason } from './estimation/decide-promotion.ts';
import { estimateGain, type Choice, type GainEstimate } from './estimation/estimate-gain.ts';
import { estimatePropensities } from './estimation/estimate-propensities.ts';
import type { GroupRatio } from './estimation/impact-ratios.ts';
import type { Observation } from './store-observations.ts';

/** What an evaluation found. It names nobody, and no group that is not worse off. */
export type Findings = {
  readonly live_version: number;
  readonly gain: number;
  /** Null if there is nothing to estimate it from. */
  readonly lower_bound: number | null;
  readonly effective_share: number;
  readonly outcomes: number;
  readonly organisations: number;
  /** How many groups of members who self-identified could be compared. */
  readonly groups_compared: number;
  /** The questions about which a group would be worse off. */
  readonly regressions: readonly string[];
  /** The largest change of a multiplier. */
  readonly largest_step: number;
  /** Why it may not be promoted; empty if it may. */
  readonly reasons: readonly RefusalReason[];
};

type Compared = { readonly version: number; readonly multipliers: PolicyMultipliers };

/** Evaluates a candidate with the outcomes that did not train it, and with how it would select members who self-identified. */
export function evaluatePolicy(
  observations: readonly Observation[],
  { live, candidate }: { readonly live: Compared; readonly candidate: Compared },
  groups: readonly GroupRatio[],
): Findings {
  const estimate = estimateOnHeldOut(observations, live.multipliers, candidate.multipliers);
  const steps = listSteps(live.multipliers, candidate.multipliers);
  return {
    live_version: live.version,
    gain: estimate.gain,
    lower_bound: Number.isFinite(estimate.lower_bound) ? estimate.lower_bound : null,
    effective_share: estimate.effective_share,
    outcomes: estimate.outcomes,
    organisations: estimate.organisations,
    groups_compared: groups.length,
    regressions: [...new Set(groups.filter(isRegression).map(({ attribute }) => attribute))],
    largest_step: Math.max(0, ...steps.map(Math.abs)),
    reasons: listRefusalReasons(estimate, groups, steps),
  };
}

const nothing: GainEstimate = {
  gain: 0,
  lower_bound: -Infinity,
  effective_share: 0,
  outcomes: 0,
  organisations: 0,
};

function estimateOnHeldOut(
  observations: readonly Observation[],
  live: PolicyMultipliers,
  candidate: PolicyMultipliers,
): GainEstimate {
  const models = buildModels(observations.filter(({ evaluates }) => !evaluates));
  if (!models) return nothing;
  const held_out = observations.filter(({ evaluates }) => evaluates);
  return comparePolicies(listChoices(held_out, models.trust), {
    models,
    live,
    candidate,
  });
}

/** Estimates how much better outcomes would be under the candidate, from choices whose outcomes did not train the models. */
export function comparePolicies(
  choices: readonly Choice[],
  {
    models,
    live,
    candidate,
  }: {
    readonly models: OutcomeModels;
    readonly live: PolicyMultipliers;
    readonly candidate: PolicyMultipliers;
  },
): GainEstimate {
  return estimateGain(choices, {
    live: (group) => selectMultipliers(live, group),
    candidate: (group) => selectMultipliers(candidate, group),
    model: (group) => selectModel(models, group),
  });
}

/**
 * Turns outcomes with others of their tier into choices. Their propensities follow from the logged ones and from how organisations chose. Organisations count as
 * much as their other outcomes are trusted.
 */
function listChoices(observations: readonly Observation[], trust: Trust): readonly Choice[] {
  const chosen = observations.filter(({ candidates }) => candidates && candidates.length > 0);
  const weights = limitWeights(chosen);
  const sets = chosen.map(({ features, propensity, candidates, org_id }, index) => ({
    candidates: Float64Array.from([features, ...candidates!.map((each) => each.features)].flat()),
    logged: [propensity, ...candidates!.map((each) => each.propensity)],
    weight: weights[index]! * (trust.get(org_id) ?? 1),
  }));
  const propensities = estimatePropensities(sets);
  return chosen.map(({ value, org_id, occupation_group }, index) => ({
    ...sets[index]!,
    propensity: propensities[index]!,
    value,
    org_id,
    occupation_group,
  }));
}

/** Lists by how much each multiplier of each job family would change. */
export function listSteps(live: PolicyMultipliers, candidate: PolicyMultipliers): readonly number[] {
  const groups = new Set([...Object.keys(live), ...Object.keys(candidate)]);
  groups.delete(all_jobs);
  return [null, ...groups].flatMap((group) => {
    const before = selectMultipliers(live, group);
    return selectMultipliers(candidate, group).map((multiplier, trait) => multiplier - before[trait]!);
  });
}

import { all_jobs, selectMultipliers, type PolicyMultipliers } from '#modules/matching/matches';
import { buildModels, type OutcomeModels } from './estimation/build-models.ts';
import { deriveMultipliers } from './estimation/derive-multipliers.ts';
import type { Observation } from './store-observations.ts';

/** What a version was made from: counts, which name nobody. */
export type TrainingSummary = {
  readonly outcomes: number;
  readonly organisations: number;
  readonly families: readonly string[];
};

export type Proposal = { readonly multipliers: PolicyMultipliers; readonly trained_on: TrainingSummary };

/**
 * Proposes the next version from the outcomes that train: one step from the live multipliers towards what outcomes say. A job family that has multipliers
 * keeps them, even if it has too few outcomes now. Undefined if there are too few organisations, or if fit predicts no outcomes.
 */
export function proposePolicy(
  observations: readonly Observation[],
  live: PolicyMultipliers,
): Proposal | undefined {
  const training = observations.filter(({ evaluates }) => !evaluates);
  const models = buildModels(training);
  if (!models) return undefined;
  const multipliers = computeNextMultipliers(models, live);
  if (!multipliers) return undefined;
  return {
    multipliers,
    trained_on: {
      outcomes: training.length,
      organisations: new Set(training.map(({ org_id }) => org_id)).size,
      families: [...models.families.keys()].filter((group) => group in multipliers).toSorted(),
    },
  };
}

/** Takes one step from the live multipliers towards what models say; undefined if fit predicts no outcomes. */
export function computeNextMultipliers(
  models: OutcomeModels,
  live: PolicyMultipliers,
): PolicyMultipliers | undefined {
  const all = deriveMultipliers(models.all.mean, selectMultipliers(live, null));
  if (!all) return undefined;
  const families = [...models.families].flatMap(([group, { mean }]) => {
    const multipliers = deriveMultipliers(mean, selectMultipliers(live, group));
    return multipliers ? [[group, multipliers] as const] : [];
  });
  return { ...live, [all_jobs]: all, ...Object.fromEntries(families) };
}

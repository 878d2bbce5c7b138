import { trait_count } from './features.ts';

/** The bounds of a policy (docs/decisions/learning.md). */
export const policyBounds = {
  /** No multiplier is outside of these, so that no priority is turned or dropped. */
  multiplier_min: 0.2,
  multiplier_max: 2,
  /** No multiplier changes by more from one version to the next. */
  step_max: 0.08,
} as const;

/** The smallest mean coefficient of the traits at which outcomes say anything about traits: below, fit does not predict outcomes. */
const slope_min = 0.05;

/**
 * Derives what each priority should be multiplied by: the coefficient of its trait, relative to the mean of all traits. The result is one step from the
 * multipliers that are live now, and within the bounds. Undefined if fit predicts no outcomes.
 */
export function deriveMultipliers(
  coefficients: ArrayLike<number>,
  live: readonly number[],
): readonly number[] | undefined {
  const traits = Array.from({ length: trait_count }, (_, trait) => coefficients[trait]!);
  const slope = traits.reduce((sum, value) => sum + value, 0) / trait_count;
  if (!(slope >= slope_min)) return undefined;
  return live.map((multiplier, trait) => boundMultiplier(traits[trait]! / slope, multiplier));
}

/** Moves a multiplier towards its target, by one step at most and within the bounds. Rounded to six decimals, towards the live one. */
export function boundMultiplier(target: number, live: number): number {
  const { multiplier_min, multiplier_max, step_max } = policyBounds;
  const step = Math.min(step_max, Math.max(-step_max, target - live));
  const rounded = Math.trunc(step * 1e6) / 1e6;
  return Math.min(multiplier_max, Math.max(multiplier_min, Math.round((live + rounded) * 1e6) / 1e6));
}

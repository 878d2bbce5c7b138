import type { GainEstimate } from './estimate-gain.ts';
import { policyBounds } from './derive-multipliers.ts';
import type { GroupRatio } from './impact-ratios.ts';

/** What a candidate must reach to be promoted (docs/decisions/learning.md). */
export const promotionRules = {
  gain_lower_bound_min: -0.002,
  effective_share_min: 0.1,
  outcomes_min: 200,
  organisations_min: 10,
  /** The four-fifths rule: a selection rate below this share of the highest is a regression, unless the live policy is as low. */
  impact_ratio_min: 0.8,
} as const;

/** Why a candidate was not promoted. */
export const refusalReasons = [
  'too_few_outcomes',
  'too_few_organisations',
  'effective_sample_too_small',
  'no_gain',
  'lower_bound_too_low',
  'four_fifths_regression',
  'step_too_large',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** Decides whether a candidate may be promoted: an empty list if so, otherwise every reason against it. */
export function listRefusalReasons(
  estimate: GainEstimate,
  groups: readonly GroupRatio[],
  steps: readonly number[],
): readonly RefusalReason[] {
  const rules = promotionRules;
  const findings: readonly (readonly [RefusalReason, boolean])[] = [
    ['too_few_outcomes', estimate.outcomes < rules.outcomes_min],
    ['too_few_organisations', estimate.organisations < rules.organisations_min],
    ['effective_sample_too_small', !(estimate.effective_share >= rules.effective_share_min)],
    ['no_gain', !(estimate.gain > 0)],
    ['lower_bound_too_low', !(estimate.lower_bound > rules.gain_lower_bound_min)],
    ['four_fifths_regression', groups.some(isRegression)],
    ['step_too_large', steps.some((step) => !(Math.abs(step) <= policyBounds.step_max + 1e-9))],
  ];
  return findings.flatMap(([reason, isFound]) => (isFound ? [reason] : []));
}

/** Less than any change of a ratio that is not rounding. */
const tiny = 1e-9;

/** Whether a group that self-identified is selected less than four fifths as often as the most selected group, and less than under the live policy. */
export function isRegression({ live_ratio, candidate_ratio }: GroupRatio): boolean {
  return candidate_ratio < promotionRules.impact_ratio_min && candidate_ratio < live_ratio - tiny;
}

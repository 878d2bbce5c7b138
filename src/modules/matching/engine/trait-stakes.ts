import type { Fit, FitWeights } from './fit.ts';
import { traitSlotCount } from './slots.ts';
import { computeRetestProbability } from './tiers.ts';

/**
 * Computes how much the tiers of a member's matches depend on the certainty of each trait, in slot order and any unit: the sum over jobs of
 * v², the share of the trait's variance in the variance of the fit, times the probability that another assessment leads to another tier. So
 * a trait has much at stake if it decides about jobs whose tier is uncertain.
 */
export function computeTraitStakes(
  matches: readonly { readonly weights: FitWeights; readonly fit: Fit }[],
): readonly number[] {
  const stakes = Array<number>(traitSlotCount).fill(0);
  for (const { weights, fit } of matches) {
    const uncertainty = 1 - computeRetestProbability(fit.mean, fit.sd, weights.shared_sd);
    for (let trait = 0; trait < traitSlotCount; trait += 1)
      stakes[trait]! += uncertainty * weights.effects[trait]! ** 2;
  }
  return stakes;
}

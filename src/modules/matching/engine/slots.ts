import { isTraitCode, traitCodes, toTraitSlot, type TraitPriorities } from '#modules/traits';

/** Slots of a quantised vector: the 20 traits in taxonomy order, then 4 culture-value slots, which stay zero until values are measured. */
export const slotCount = 24;

/** Measured slots, which are those with a mean and a variance. */
export const traitSlotCount = traitCodes.length;

/** Steps per standard deviation of a quantised mean, so that a step is 0.03125 sd. */
export const slotScale = 32;

/** Largest mean that a slot holds, in standard deviations: ±3.97. One person in 14,000 lies beyond, and is kept at the bound. */
export const largestMean = 127 / slotScale;

/** Largest job weight: seven bits, which is what the narrow operand of a SIMD dot product takes. */
export const largestWeight = 127;

/** Posterior mean of a trait in standard deviations → int8, `round(32 * mean)` within ±127. */
export function quantiseMean(mean: number): number {
  return Math.round(slotScale * boundMean(mean));
}

/** A mean brought within ±{@link largestMean}. */
export function boundMean(mean: number): number {
  return Math.min(largestMean, Math.max(-largestMean, mean));
}

/** Priorities → 20 plain weights in slot order, 0 to 1. Throws a RangeError on an unknown trait and on a number outside 0..1. */
export function toTraitWeights(priorities: TraitPriorities): Float64Array {
  const weights = new Float64Array(traitSlotCount);
  for (const [code, priority] of Object.entries(priorities)) {
    if (!isTraitCode(code)) throw new RangeError(`"${code}" is not a trait.`);
    if (!(priority >= 0 && priority <= 1))
      throw new RangeError(`The priority of ${code} is ${priority}, not 0 to 1.`);
    weights[toTraitSlot(code)] = priority;
  }
  return weights;
}

/**
 * Plain weights → {@link slotCount} integers 0..127, the largest becoming 127: a ranking does not depend on the scale of its weights,
 * so the whole range is used and the rounding error is smallest. All zero stays all zero.
 */
export function quantiseWeights(weights: Float64Array): Uint8Array {
  const scale = computeWeightScale(weights);
  const quantised = new Uint8Array(slotCount);
  for (const [slot, weight] of weights.entries()) quantised[slot] = Math.round(scale * weight);
  return quantised;
}

/** The factor from plain to integer weights; 0 where all are zero. */
export function computeWeightScale(weights: Float64Array): number {
  const largest = Math.max(...weights);
  return largest > 0 ? largestWeight / largest : 0;
}

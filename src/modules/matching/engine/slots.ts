import { isTraitCode, traitCodes, toTraitSlot, type TraitPriorities } from '#modules/measurement/traits';

/** The slots of a quantised vector: the 20 traits in taxonomy order, then 4 slots for culture values, which are zero until values are measured. */
export const slotCount = 24;

/** The measured slots, which have a mean and a variance. */
export const traitSlotCount = traitCodes.length;

/** The steps per standard deviation of a quantised mean: one step is 0.03125 sd. */
export const slotScale = 32;

/** The largest mean of a slot, ±3.97 standard deviations. About one value in 14,000 is beyond it and is clamped. */
export const largestMean = 127 / slotScale;

/** The largest job weight: seven bits, the width of the narrow operand of a SIMD dot product. */
export const largestWeight = 127;

/** Quantises the relative mean of a trait, in standard deviations, to int8: `round(32 * mean)` within ±127. */
export function quantiseMean(mean: number): number {
  return Math.round(slotScale * boundMean(mean));
}

/** Clamps a mean to ±{@link largestMean}. */
export function boundMean(mean: number): number {
  return Math.min(largestMean, Math.max(-largestMean, mean));
}

/** Converts priorities to 20 weights in slot order, from 0 to 1. @throws RangeError for an unknown trait and for a number outside 0 to 1. */
export function toTraitWeights(priorities: TraitPriorities): Float64Array {
  const weights = new Float64Array(traitSlotCount);
  for (const [code, priority] of Object.entries(priorities)) {
    if (!isTraitCode(code)) throw new RangeError(`"${code}" is not a trait.`);
    if (!(priority >= 0 && priority <= 1))
      throw new RangeError(`The priority of ${code} must be from 0 to 1, not ${priority}.`);
    weights[toTraitSlot(code)] = priority;
  }
  return weights;
}

/**
 * Quantises weights to {@link slotCount} integers from 0 to 127. The largest weight becomes 127, because a ranking does not depend on the
 * scale of its weights and the full range gives the smallest rounding error. Zeros stay zero.
 */
export function quantiseWeights(weights: Float64Array): Uint8Array {
  const scale = computeWeightScale(weights);
  const quantised = new Uint8Array(slotCount);
  for (const [slot, weight] of weights.entries()) quantised[slot] = Math.round(scale * weight);
  return quantised;
}

/** Computes the factor that quantises weights; 0 if all weights are zero. */
export function computeWeightScale(weights: Float64Array): number {
  const largest = Math.max(...weights);
  return largest > 0 ? largestWeight / largest : 0;
}

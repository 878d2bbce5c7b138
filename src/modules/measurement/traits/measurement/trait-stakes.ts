import { traitCodes } from '../taxonomy.ts';
import type { TraitStakes } from './next-item.ts';

/** The smallest share of the mean stakes that a trait has, so that no trait is left unmeasured. */
const smallest_share = 0.25;

/**
 * Converts what is at stake in each slot, in any unit and none negative, to weights with a mean of 1 and a minimum of 0.25; undefined if
 * the stakes are unknown or all zero.
 */
export function toTraitStakes(slots: readonly number[] | null): TraitStakes | undefined {
  const total = (slots ?? []).reduce((sum, stake) => sum + stake, 0);
  if (slots === null || !(total > 0)) return undefined;
  return new Map(
    traitCodes.map((code, slot) => [
      code,
      smallest_share + ((1 - smallest_share) * traitCodes.length * slots[slot]!) / total,
    ]),
  );
}

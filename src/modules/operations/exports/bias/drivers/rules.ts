import type { BiasStage, ReportAttribute } from '../rules.ts';

/** A trait that is behind a gap, and its part of all traits that widen the gap. */
export type TraitShare = { readonly trait: string; readonly share: number };

/** The traits behind the gap between a group and the one with the highest rate. */
export type GapDriver = {
  readonly attribute: ReportAttribute;
  readonly selection: BiasStage;
  readonly group: string;
  readonly reference: string;
  readonly traits: readonly TraitShare[];
};

/** What a gap is computed from: lists in the order of the traits. */
export type GapSources = {
  readonly traits: readonly string[];
  /** How much the jobs of the organisation ask for each trait, on average. */
  readonly priorities: readonly number[];
  /** The mean of each trait in the group, and in the one with the highest rate. */
  readonly group: readonly number[];
  readonly reference: readonly number[];
};

const traits_max = 3;

/**
 * Splits the gap between two groups by trait. The fit of a person is the sum of priorities times traits, so the difference of the mean fits of two groups is
 * the sum of each priority times the difference of the means (Oaxaca 1973, with the priorities as the only coefficients). The traits that widen the gap
 * are listed with their part of what they widen together, the largest first.
 */
export function splitGap({ traits, priorities, group, reference }: GapSources): readonly TraitShare[] {
  const parts = traits.map((trait, slot) => ({
    trait,
    part: (priorities[slot] ?? 0) * ((reference[slot] ?? 0) - (group[slot] ?? 0)),
  }));
  const widening = parts.filter(({ part }) => part > 0);
  const sum = widening.reduce((total, { part }) => total + part, 0);
  return widening
    .toSorted((one, other) => other.part - one.part)
    .slice(0, traits_max)
    .map(({ trait, part }) => ({ trait, share: Math.round((part / sum) * 100) / 100 }))
    .filter(({ share }) => share > 0);
}

import type { Moments } from '@tessera/psychometrics';
import {
  categoricalTraits,
  computeSupportedDistance,
  toTraitSlot,
  traitFamilies,
  type LatentVector,
  type TraitCode,
  type TraitFamily,
} from '#modules/measurement/traits';

/** The labels of a trait family, from the most to the least of it. `moderate` claims no side. */
export const traitTiers = ['high', 'strong', 'moderate', 'emerging'] as const;

export type TraitTier = (typeof traitTiers)[number];

/** The labels of a value: how much it matters to the member. `important` claims no side. */
export const valueBands = ['central', 'important', 'secondary'] as const;

export type ValueBand = (typeof valueBands)[number];

/** The values of a member, and the traits that each is read from. */
export const valueTraits = {
  achievement: ['achievement_drive'],
  independence: ['autonomy_drive'],
  purpose: ['purpose_orientation'],
  perseverance: ['persistence'],
  honesty: ['sincerity', 'fair_dealing'],
  responsibility: ['accountability', 'discretion'],
} as const satisfies Readonly<Record<string, readonly TraitCode[]>>;

export type ValueName = keyof typeof valueTraits;

/**
 * Where a label begins, in standard deviations of the population. Of members who are known exactly, about a sixth would be `high`, and about a
 * quarter each `strong` and `emerging`.
 */
const tierCuts: readonly (readonly [from: number, tier: TraitTier])[] = [
  [1, 'high'],
  [0.25, 'strong'],
  [-0.75, 'moderate'],
];

const bandCuts: readonly (readonly [from: number, band: ValueBand])[] = [
  [0.75, 'central'],
  [-0.5, 'important'],
];

/** How far the cuts of one member may be from the published ones, in standard deviations, to either side. */
export const blur = 0.3;

/** The correlation of two traits of a family, as the measurement assumes it; the spread of their mean follows from it. */
const trait_correlation = 0.4;

/** A fixed number from 0 up to 1 for each member and label, which nobody outside the service can compute. */
export type DrawFixed = (label: string) => number;

/**
 * Labels the five families of traits by what their bounds support: a family whose 95 % bounds hold the middle of the population is `moderate`. The cuts of every member are shifted by an amount that is fixed, secret and the same for every reader:
 * a label that changes tells that the member is near a cut, but not where this cut is, and neither repeated reads nor several organisations
 * together can average it away.
 */
export function labelFamilies(
  vector: LatentVector,
  drawFixed: DrawFixed,
): Readonly<Record<TraitFamily, TraitTier>> {
  return mapValues(traitFamilies, (codes, family) =>
    chooseLabel(tierCuts, 'emerging', shiftDistance(vector, codes, drawFixed(family))),
  );
}

/** Labels how much each value matters to the member by what the bounds support, with cuts that are shifted like those of {@link labelFamilies}. */
export function labelValues(
  vector: LatentVector,
  drawFixed: DrawFixed,
): Readonly<Record<ValueName, ValueBand>> {
  return mapValues(valueTraits, (codes, value) =>
    chooseLabel(bandCuts, 'secondary', shiftDistance(vector, codes, drawFixed(value))),
  );
}

/**
 * Computes the mean of the traits that are measured on a scale and its variance, in standard deviations of this mean in the population. The
 * errors of traits count as independent, as in the fit.
 */
export function computeLevel({ mean, variance }: LatentVector, codes: readonly TraitCode[]): Moments {
  const slots = codes.filter((code) => !(code in categoricalTraits)).map(toTraitSlot);
  const sum = (values: readonly number[]) => slots.reduce((total, slot) => total + values[slot]!, 0);
  const deviation = Math.sqrt(slots.length * (1 + (slots.length - 1) * trait_correlation));
  return { mean: sum(mean) / deviation, variance: sum(variance) / deviation ** 2 };
}

/** Shifts what the bounds support by the fixed share of the blur, never to the other side of the middle. Without a side it stays in the middle. */
function shiftDistance(vector: LatentVector, codes: readonly TraitCode[], drawn: number): number {
  const distance = computeSupportedDistance(computeLevel(vector, codes));
  const side = Math.sign(distance);
  return side * Math.max(0, Math.abs(distance) - side * blur * (2 * drawn - 1));
}

function chooseLabel<Label>(
  cuts: readonly (readonly [from: number, label: Label])[],
  lowest: Label,
  level: number,
): Label {
  return cuts.find(([from]) => level >= from)?.[1] ?? lowest;
}

/** `Object.entries` returns the names as plain strings; the result has the same names. */
function mapValues<const Names extends string, Value, Result>(
  values: Readonly<Record<Names, Value>>,
  convert: (value: Value, name: Names) => Result,
): Readonly<Record<Names, Result>> {
  const entries = (Object.entries(values) as [Names, Value][]).map(([name, value]) => [
    name,
    convert(value, name),
  ]);
  return Object.fromEntries(entries) as Record<Names, Result>;
}

import {
  categoricalTraits,
  toTraitSlot,
  traitFamilies,
  type TraitCode,
  type TraitFamily,
} from '#modules/measurement/traits';

/** The labels of a trait family, from the most to the least of it. */
export const traitTiers = ['high', 'strong', 'moderate', 'emerging'] as const;

export type TraitTier = (typeof traitTiers)[number];

/** The labels of a value: how much it matters to the member. */
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
 * Where a label begins, in standard deviations of the population. About a sixth of all members are `high`, and about a quarter each `strong`
 * and `emerging`.
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
 * Labels the five families of traits. The cuts of every member are shifted by an amount that is fixed, secret and the same for every reader:
 * a label that changes tells that the member is near a cut, but not where this cut is, and neither repeated reads nor several organisations
 * together can average it away.
 *
 * @param mean Means of the twenty slots, in standard deviations of the population.
 */
export function labelFamilies(
  mean: readonly number[],
  drawFixed: DrawFixed,
): Readonly<Record<TraitFamily, TraitTier>> {
  return mapValues(traitFamilies, (codes, family) =>
    chooseLabel(tierCuts, 'emerging', computeLevel(mean, codes) - shiftCuts(drawFixed, family)),
  );
}

/** Labels how much each value matters to the member, with cuts that are shifted like those of {@link labelFamilies}. */
export function labelValues(
  mean: readonly number[],
  drawFixed: DrawFixed,
): Readonly<Record<ValueName, ValueBand>> {
  return mapValues(valueTraits, (codes, value) =>
    chooseLabel(bandCuts, 'secondary', computeLevel(mean, codes) - shiftCuts(drawFixed, value)),
  );
}

/** Computes the mean of the traits that are measured on a scale, in standard deviations of this mean. */
export function computeLevel(mean: readonly number[], codes: readonly TraitCode[]): number {
  const slots = codes.filter((code) => !(code in categoricalTraits)).map(toTraitSlot);
  const sum = slots.reduce((total, slot) => total + mean[slot]!, 0);
  const deviation = Math.sqrt((1 + (slots.length - 1) * trait_correlation) / slots.length);
  return sum / slots.length / deviation;
}

function shiftCuts(drawFixed: DrawFixed, label: string): number {
  return blur * (2 * drawFixed(label) - 1);
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

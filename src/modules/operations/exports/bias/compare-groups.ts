import {
  computeAdjusted,
  computeDetectableRatio,
  computeExactTest,
  computeRatioInterval,
  type TwoGroups,
} from '@tessera/psychometrics';
import { not_stated, other_groups, type BiasStage } from './rules.ts';

/**
 * What a comparison says. `significant`: the difference is unlikely to be chance. `ratio_only`: the ratio is below four fifths, which can be
 * chance although enough people were counted. `insufficient`: too few people to find a ratio of four fifths, so that nothing follows. `none`: enough people, and
 * neither.
 */
export const biasFlags = ['none', 'ratio_only', 'significant', 'insufficient'] as const;

export type BiasFlag = (typeof biasFlags)[number];

/** One group in one selection. Null is what is not shown, or does not exist. */
export type GroupRate = {
  readonly group: string;
  readonly people: number | null;
  readonly selected: number | null;
  readonly rate: number | null;
  /** The rate divided by the highest rate of the groups that are compared. */
  readonly impact_ratio: number | null;
  readonly below_four_fifths: boolean | null;
  /** Whether the group is left out of the comparison because it has less than two in a hundred of all people. */
  readonly is_excluded: boolean;
  readonly ratio_from: number | null;
  readonly ratio_to: number | null;
  readonly fisher_p: number | null;
  readonly mid_p: number | null;
  readonly holm_p: number | null;
  readonly detectable_ratio: number | null;
  readonly flag: BiasFlag | null;
};

/** The people of a group by stage; null or absent is what is not known. */
export type ShownStages = Readonly<Partial<Record<BiasStage | 'assessed', number | null>>>;

/** A group before it is compared. */
export type CountedRate = Pick<GroupRate, 'group' | 'people' | 'selected' | 'rate' | 'is_excluded'>;

/** A group that is compared: its numbers are shown. */
type ComparedRate = CountedRate & {
  readonly people: number;
  readonly selected: number;
  readonly rate: number;
};

/** Groups with a smaller share may be left out of the comparison (NYC Local Law 144, 6 RCNY § 5-301). Their numbers are shown. */
const excluded_share = 0.02;

export const four_fifths = 0.8;
export const significance = 0.05;
/** Far below the smallest difference that numbers of people can make. */
const rounding = 1e-12;

/**
 * Computes selection rates and impact ratios (29 CFR 1607.4(D)): the rate of a group is the share of its people who were selected, and its
 * impact ratio is its rate divided by the highest rate. Groups are compared if at least two of them are shown; those who have not stated the
 * attribute, small groups together, and groups of less than two in a hundred are not compared. Each other group is tested against the one with the highest rate.
 *
 * @param reference_group the group with the highest rate, if it does not follow from these numbers. No ratio is above one.
 */
export function compareGroups(
  groups: Readonly<Record<string, ShownStages>>,
  { selection, of }: { readonly selection: BiasStage; readonly of: BiasStage | 'assessed' },
  all_people: number,
  reference_group?: string,
): readonly GroupRate[] {
  const rates = Object.entries(groups).map(([group, shown]): CountedRate => {
    const [people, selected] = [shown[of] ?? null, shown[selection] ?? null];
    const is_excluded = people !== null && people > 0 && people < excluded_share * all_people;
    return { group, people, selected, rate: computeRate(selected, people), is_excluded };
  });
  const compared = rates.filter(isCompared);
  const reference = compared.find(({ group }) => group === reference_group) ?? findHighest(compared);
  if (compared.length < 2 || !reference || reference.rate === 0) return rates.map(toUncompared);
  const tested = compared.filter((row) => row !== reference);
  const tests = tested.map((row) => computeExactTest(buildPair(row, reference)));
  const adjusted = computeAdjusted(tests.map(({ fisher }) => fisher));
  return rates.map((row) => {
    if (row === reference) return { ...toUncompared(row), impact_ratio: 1, below_four_fifths: false };
    const place = tested.findIndex((each) => each === row);
    return place < 0
      ? toUncompared(row)
      : describeDifference(tested[place]!, reference, { ...tests[place]!, holm: adjusted[place]! });
  });
}

function isCompared(row: CountedRate): row is ComparedRate {
  const isMixed = row.group.includes(not_stated) || row.group.includes(other_groups);
  return !isMixed && row.rate !== null && !row.is_excluded;
}

function findHighest(compared: readonly ComparedRate[]): ComparedRate | undefined {
  return compared.reduce<ComparedRate | undefined>(
    (highest, row) => (highest === undefined || row.rate > highest.rate ? row : highest),
    undefined,
  );
}

function buildPair(row: ComparedRate, reference: ComparedRate): TwoGroups {
  return {
    selected: row.selected,
    people: row.people,
    other_selected: reference.selected,
    other_people: reference.people,
  };
}

type Probabilities = { readonly fisher: number; readonly mid_p: number; readonly holm: number };

function describeDifference(
  row: ComparedRate,
  reference: ComparedRate,
  { fisher, mid_p, holm }: Probabilities,
): GroupRate {
  const pair = buildPair(row, reference);
  const ratio = Math.min(1, row.rate / reference.rate);
  const below_four_fifths = ratio < four_fifths - rounding;
  const interval = computeRatioInterval(pair);
  const detectable = computeDetectableRatio(reference.rate, pair);
  return {
    ...row,
    rate: roundShare(row.rate),
    impact_ratio: roundShare(ratio),
    below_four_fifths,
    ratio_from: interval ? roundShare(interval[0]) : null,
    ratio_to: interval ? roundShare(interval[1]) : null,
    fisher_p: roundShare(fisher),
    mid_p: roundShare(mid_p),
    holm_p: roundShare(holm),
    detectable_ratio: detectable === undefined ? null : roundShare(detectable),
    flag: decideFlag({ holm, detectable, below_four_fifths }),
  };
}

function decideFlag({
  holm,
  detectable,
  below_four_fifths,
}: {
  readonly holm: number;
  readonly detectable: number | undefined;
  readonly below_four_fifths: boolean;
}): BiasFlag {
  if (holm < significance) return 'significant';
  if (detectable === undefined || detectable < four_fifths) return 'insufficient';
  return below_four_fifths ? 'ratio_only' : 'none';
}

/** Describes a group that is not compared. */
export function toUncompared(row: CountedRate): GroupRate {
  return {
    ...row,
    rate: roundShare(row.rate),
    impact_ratio: null,
    below_four_fifths: null,
    ratio_from: null,
    ratio_to: null,
    fisher_p: null,
    mid_p: null,
    holm_p: null,
    detectable_ratio: null,
    flag: null,
  };
}

function computeRate(selected: number | null, people: number | null): number | null {
  // People may have been selected after all members were counted.
  return selected === null || people === null || people === 0 || selected > people ? null : selected / people;
}

/** Shares have four decimals. */
export function roundShare(share: number): number;
export function roundShare(share: number | null): number | null;
export function roundShare(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}

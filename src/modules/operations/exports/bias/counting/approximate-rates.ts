import { compareGroups, four_fifths, significance, type GroupRate } from '../compare-groups.ts';
import type { RowNumber } from './show-numbers.ts';

/** How many of a group were selected, of how many. Without a number of people, nothing is compared. */
export type Selected = { readonly of: number | null; readonly selected: number };

/** What is compared: the people of a row, and those of the group itself, without others who are counted with it. */
export type Compared = { readonly number: RowNumber; readonly row: Selected; readonly own: Selected };

/**
 * Compares rows of a table. Rates, ratios, intervals and probabilities follow from the numbers of people that are shown, and where one is not shown, from a number that
 * makes differences smaller than they are. Two marks follow from the true numbers of the groups themselves: whether the difference is significant, and whether the ratio is below four
 * fifths. So no finding about a large group is lost to a small one. A mark says one thing about all people of the stage, who are at least ten. Ratios and probabilities are moved to the side of
 * the limit on which the mark says they are.
 */
export function compareRows(compared: readonly Compared[], all_people: number): readonly GroupRate[] {
  const compare = (read: (each: Compared) => Selected, reference?: string) =>
    compareGroups(
      Object.fromEntries(
        compared.map((each) => [
          each.number.row.group,
          { matched: read(each).of, placed: read(each).selected },
        ]),
      ),
      { selection: 'placed', of: 'matched' },
      all_people,
      reference,
    );
  const exact = compare(({ own }) => own);
  if (compared.every(({ number }) => number.is_shown && !number.row.may_include_others)) return exact;
  const reference = exact.find(({ impact_ratio, flag }) => impact_ratio === 1 && flag === null)?.group;
  return compare(({ row }) => row, reference).map((row, index) => {
    const marked = applyMarks(row, exact[index]!);
    return compared[index]!.number.is_shown ? marked : { ...marked, selected: null, rate: null };
  });
}

/** Just on the side of four fifths that is not marked, and on the one that is. */
const [not_below, below] = [four_fifths, four_fifths - 0.0001];

function applyMarks(row: GroupRate, { flag, below_four_fifths }: GroupRate): GroupRate {
  if (row.impact_ratio === null || flag === null) return row;
  const isSignificant = flag === 'significant';
  const limit = (probability: number | null) =>
    probability === null || !isSignificant ? probability : Math.min(probability, significance);
  return {
    ...row,
    below_four_fifths,
    impact_ratio: below_four_fifths
      ? Math.min(row.impact_ratio, below)
      : Math.max(row.impact_ratio, not_below),
    fisher_p: limit(row.fisher_p),
    mid_p: limit(row.mid_p),
    holm_p: isSignificant ? limit(row.holm_p) : Math.max(row.holm_p ?? 1, significance),
    flag: isSignificant
      ? 'significant'
      : row.detectable_ratio === null || row.detectable_ratio < four_fifths
        ? 'insufficient'
        : below_four_fifths
          ? 'ratio_only'
          : 'none',
  };
}

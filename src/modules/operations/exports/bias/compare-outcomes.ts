import { computeAdjusted, computeExactTest } from '@tessera/psychometrics';
import { roundShare } from './compare-groups.ts';
import { not_stated, other_groups, type OutcomeCell } from './rules.ts';

/** What became of the people of one group, and how the service had rated them. Null is what is not shown, or does not exist. */
export type GroupOutcome = {
  readonly group: string;
  /** Those with a known outcome. */
  readonly people: number | null;
  /** Those of them with a good one. */
  readonly good: number | null;
  /** The share of those with a good outcome who were rated strong or exceptional. */
  readonly true_positive_rate: number | null;
  /** The same share of those with another outcome. */
  readonly false_positive_rate: number | null;
  /** The share with a good outcome of those who were rated strong or exceptional, and of the others. */
  readonly good_of_strong: number | null;
  readonly good_of_lower: number | null;
};

/** The people of a group with a known outcome; each cell has somebody. */
export type CellCounts = Readonly<Record<OutcomeCell, number>>;

/** How differently the ratings fit what became of groups. */
export type OutcomeGaps = {
  readonly groups: readonly GroupOutcome[];
  /** The highest rate less the lowest; null with fewer than two groups. */
  readonly true_positive_gap: number | null;
  readonly false_positive_gap: number | null;
  /** The smallest probability of these differences, by Fisher’s exact test against the highest rate, adjusted by Holm. */
  readonly true_positive_p: number | null;
  readonly false_positive_p: number | null;
};

/**
 * Compares how often people of each group with a good outcome, and with another, had been rated strong (equalised odds, Hardt, Price and Srebro 2016), and how often
 * such a rating came true (calibration within groups, Kleinberg et al. 2017). Those who have not stated the attribute,
 * and small groups together, are not compared. A group without numbers is not shown.
 */
export function compareOutcomes(groups: Readonly<Record<string, CellCounts | undefined>>): OutcomeGaps {
  const rows = Object.entries(groups).map(([group, cells]) => ({ group, cells }));
  const compared = rows.flatMap(({ group, cells }) =>
    cells && group !== not_stated && group !== other_groups ? [cells] : [],
  );
  const positives = findGap(
    compared.map((cells) => ({ selected: cells.good_strong, people: cells.good_strong + cells.good_lower })),
  );
  const negatives = findGap(
    compared.map((cells) => ({
      selected: cells.other_strong,
      people: cells.other_strong + cells.other_lower,
    })),
  );
  return {
    groups: rows.map(({ group, cells }) => toGroupOutcome(group, cells)),
    true_positive_gap: positives?.gap ?? null,
    false_positive_gap: negatives?.gap ?? null,
    true_positive_p: positives?.probability ?? null,
    false_positive_p: negatives?.probability ?? null,
  };
}

function toGroupOutcome(group: string, cells: CellCounts | undefined): GroupOutcome {
  if (!cells)
    return {
      group,
      people: null,
      good: null,
      true_positive_rate: null,
      false_positive_rate: null,
      good_of_strong: null,
      good_of_lower: null,
    };
  const { good_strong, other_strong, good_lower, other_lower } = cells;
  return {
    group,
    people: good_strong + other_strong + good_lower + other_lower,
    good: good_strong + good_lower,
    true_positive_rate: roundShare(good_strong / (good_strong + good_lower)),
    false_positive_rate: roundShare(other_strong / (other_strong + other_lower)),
    good_of_strong: roundShare(good_strong / (good_strong + other_strong)),
    good_of_lower: roundShare(good_lower / (good_lower + other_lower)),
  };
}

type Rate = { readonly selected: number; readonly people: number };

function findGap(rates: readonly Rate[]): { readonly gap: number; readonly probability: number } | undefined {
  const sorted = rates.toSorted((one, other) => other.selected / other.people - one.selected / one.people);
  const [highest, ...others] = sorted;
  const lowest = others.at(-1);
  if (!highest || !lowest) return undefined;
  const tests = others.map(({ selected, people }) =>
    computeExactTest({ selected, people, other_selected: highest.selected, other_people: highest.people }),
  );
  return {
    gap: roundShare(highest.selected / highest.people - lowest.selected / lowest.people),
    probability: roundShare(Math.min(...computeAdjusted(tests.map(({ fisher }) => fisher)))),
  };
}

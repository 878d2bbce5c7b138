import { linkScales, moveParameters } from '@tessera/psychometrics';
import { indexBank, type ItemBank } from '../items/bank.ts';
import { isGraded, type Answer, type GradedItem, type Item } from '../items/item.ts';
import { calibrateBank, itemLimits, type ItemReport, type TraitReport } from './calibrate-bank.ts';

/** Fewer statements say too little about where a scale is. */
export const fewest_anchors = 3;

/** Calibrates some statements of a bank from answers that may be to others, too. */
export function calibratePart(
  bank: ItemBank<string>,
  graded: readonly GradedItem<string>[],
  answerSets: readonly (readonly Answer[])[],
  onProgress?: (share: number) => void,
): readonly TraitReport[] {
  const part = indexBank({ ...bank, graded, retired: [], seeded: [], scenarios: [] });
  return calibrateBank(part, answerSets, onProgress).traits;
}

/**
 * Puts statements that were calibrated together with known ones onto the scale of these (Stocking and Lord 1983): the known ones with enough answers are the
 * anchors. With fewer than {@link fewest_anchors}, nothing is moved.
 */
export function moveOntoScale(
  reports: readonly ItemReport[],
  isMoved: (report: ItemReport) => boolean,
  itemsById: ReadonlyMap<string, Item<string>>,
): { readonly moved: readonly ItemReport[]; readonly anchors: number } {
  const anchors = reports.flatMap((from) => {
    const to = itemsById.get(from.item_id);
    if (isMoved(from) || from.answers < itemLimits.fewest_answers || !to || !isGraded(to)) return [];
    return [{ from, to }];
  });
  if (anchors.length < fewest_anchors) return { moved: [], anchors: anchors.length };
  const link = linkScales(anchors);
  const moved = reports.filter(isMoved).map((report) => ({
    ...report,
    ...moveParameters(report, link),
    standard_errors: moveParameters(report.standard_errors, { ...link, intercept: 0 }),
  }));
  return { moved, anchors: anchors.length };
}

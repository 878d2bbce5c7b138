import type { ItemParameters } from '@tessera/psychometrics';
import type { BankParameters } from '../items/bank.ts';
import type { NewFinding } from '../parameters/findings.ts';
import type { ItemReport, TraitReport } from './calibrate-bank.ts';

/** The calibration that drift is measured from. */
export type EarlierCalibration = { readonly version: string; readonly items: BankParameters['items'] };

/** The limits of findings, beside those of the flags of a report. */
const findingLimits = {
  /** A residual correlation counts if it is this many standard errors above zero: a bank has a thousand pairs. */
  dependent_errors: 4,
  /** A parameter has drifted if it moved by more than this, in population standard deviations and in ln a, ... */
  drift: { location: 0.3, discrimination: 0.3 },
  /** ... and by this many standard errors of the difference. */
  drift_errors: 3.3,
} as const;

/**
 * Lists what a calibration found about statements: those that are weak or do not fit, pairs that share more than their trait, and parameters that
 * drifted since the calibration before. Only positive residual correlations are findings, because negative ones make bounds too wide and not too narrow.
 */
export function findInCalibration(
  traits: readonly TraitReport[],
  before: EarlierCalibration | undefined,
): readonly NewFinding[] {
  return traits.flatMap((trait) => [
    ...trait.items.flatMap(findFlagged),
    ...findDependent(trait),
    ...(before ? findDrift(trait.items, before) : []),
  ]);
}

const toFinding = (
  kind: NewFinding['kind'],
  { item_id, answers }: ItemReport,
  size: number,
  about: Pick<NewFinding, 'subject' | 'compared_with'> = { subject: '', compared_with: '' },
): NewFinding => ({ kind, item_ids: [item_id], ...about, size, answered: answers });

function findFlagged(item: ItemReport): NewFinding[] {
  const { flags, discrimination, infit, outfit } = item;
  const farthest = Math.abs(Math.log(infit)) > Math.abs(Math.log(outfit)) ? infit : outfit;
  return [
    ...(flags.includes('weak') ? [toFinding('weak', item, discrimination)] : []),
    ...(flags.includes('misfit') ? [toFinding('misfit', item, farthest)] : []),
  ];
}

/** The standard error of a correlation of n pairs is about 1 / sqrt(n). */
function findDependent({ residual_correlations }: TraitReport): NewFinding[] {
  return residual_correlations
    .filter(({ correlation, answers }) => correlation * Math.sqrt(answers) > findingLimits.dependent_errors)
    .map(({ items, correlation, answers }) => ({
      kind: 'dependent',
      item_ids: items.toSorted(),
      subject: '',
      compared_with: '',
      size: correlation,
      answered: answers,
    }));
}

/**
 * Compares the parameters of a trait's statements with those of an earlier calibration. What the median statement moved is subtracted: it is a
 * change of the people, by whose mean and spread the scale is defined, and not of a statement. The calibrations count as independent; where
 * respondents are in both, the error of the difference is smaller, so that fewer statements are found.
 */
function findDrift(items: readonly ItemReport[], before: EarlierCalibration): NewFinding[] {
  const moves = items.flatMap((item) => {
    const earlier = Object.hasOwn(before.items, item.item_id) ? before.items[item.item_id] : undefined;
    if (!earlier?.standard_errors || item.flags.includes('few_answers')) return [];
    const [one, other] = [summarise(item, item.standard_errors), summarise(earlier, earlier.standard_errors)];
    return [{ item, one, other }];
  });
  return (['location', 'discrimination'] as const).flatMap((parameter) => {
    const differences = moves.map(({ one, other }) => one[parameter].value - other[parameter].value);
    const shared = computeMedian(differences);
    return moves.flatMap(({ item, one, other }, place) => {
      const moved = differences[place]! - shared;
      const error = Math.hypot(one[parameter].error, other[parameter].error);
      const explained = Math.max(findingLimits.drift[parameter], findingLimits.drift_errors * error);
      if (Math.abs(moved) <= explained) return [];
      const about = { subject: parameter, compared_with: before.version };
      return [toFinding('drifted', item, Math.round(moved * 10_000) / 10_000, about)];
    });
  });
}

/** The mean of the thresholds and ln a, with their standard errors; the errors of the thresholds count as fully correlated. */
function summarise({ discrimination, thresholds }: ItemParameters, errors: ItemParameters) {
  const average = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    location: { value: average(thresholds), error: average(errors.thresholds) },
    discrimination: { value: Math.log(discrimination), error: errors.discrimination / discrimination },
  };
}

function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length === 0 ? 0 : (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

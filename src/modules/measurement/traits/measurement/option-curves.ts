import { computeCategoryProbabilities, toKeyedCategory, type ItemParameters } from '@tessera/psychometrics';

/** The place on the trait, from -3 to 3 standard deviations, and the probability of each option there, in the order that members see. */
type CurvePoint = { readonly place: number; readonly probabilities: readonly number[] };

const steps = 24;

/** Computes how probable each option of a statement is along its trait. */
export function computeOptionCurves({
  reversed,
  ...parameters
}: ItemParameters & { readonly reversed: boolean }): readonly CurvePoint[] {
  const item = { ...parameters, ...(reversed && { reversed: true as const }) };
  return Array.from({ length: steps + 1 }, (_, step) => {
    const place = (6 * step) / steps - 3;
    const keyed = computeCategoryProbabilities(item, place);
    return { place, probabilities: keyed.map((__, option) => keyed[toKeyedCategory(item, option)]!) };
  });
}

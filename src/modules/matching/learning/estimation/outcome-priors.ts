import type { LogisticFit, Prior } from '@tessera/psychometrics';
import { belonging_count, feature_count, trait_count } from './features.ts';

/** A better fit is a better outcome, each trait as much as the organisation's priority says. */
export function buildPrior(): Prior {
  const mean = new Float64Array(feature_count);
  mean.fill(0.5, 0, trait_count);
  return { mean, spread: { shared: 0.5, own: 0.3, others: listOthers({ belonging: 0.3, intercept: 2 }) } };
}

/** Builds the belief about a job family before its outcomes: that it is like all jobs. */
export function buildFamilyPrior({ mean }: Pick<LogisticFit, 'mean'>): Prior {
  return { mean, spread: { shared: 0.2, own: 0.2, others: listOthers({ belonging: 0.2, intercept: 0.5 }) } };
}

/** Traits are exchangeable; the coefficients of belonging and the intercept are not. */
function listOthers(spread: { readonly belonging: number; readonly intercept: number }): readonly number[] {
  return [...Array.from({ length: belonging_count }, () => spread.belonging), spread.intercept];
}

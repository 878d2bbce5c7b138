import {
  classifyItem,
  compareItem,
  type ItemClass,
  type ItemDifference,
  type Stratum,
} from './item-functioning.ts';
import { fitItem } from './ordinal-regression.ts';

/** The smallest logarithm of an odds ratio that matters: one unit of the delta scale of ETS, 1 / 2.35 (Monahan and others 2007). */
const moderate_log_odds = 0.426;

/** Both tests must be this sure. */
const agreed_significance = 0.01;

type JudgedDifference = ItemDifference & {
  readonly item_class: ItemClass;
  /** The logarithm of the odds ratio by ordinal logistic regression; null if it could not be fitted. */
  readonly log_odds: number | null;
};

/**
 * Judges the difference of an item by two methods: it is `moderate` or `large` by {@link classifyItem} only if ordinal logistic regression finds it too, in the same
 * direction and with an odds ratio that matters, and both probabilities are below 1 %.
 *
 * @returns undefined if there is nothing to compare.
 */
export function judgeItem(strata: readonly Stratum[]): JudgedDifference | undefined {
  const difference = compareItem(strata);
  if (!difference) return undefined;
  const regression = fitItem(strata);
  const isAgreed =
    regression !== undefined &&
    Math.max(difference.probability, regression.probability) < agreed_significance &&
    Math.abs(regression.log_odds) >= moderate_log_odds &&
    Math.sign(regression.log_odds) === Math.sign(difference.effect);
  return {
    ...difference,
    item_class: isAgreed ? classifyItem(difference) : 'small',
    log_odds: regression?.log_odds ?? null,
  };
}

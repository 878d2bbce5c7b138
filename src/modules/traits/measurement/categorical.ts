import { cacheResults } from '#lib/cache-results.ts';
import { requireItem } from '../items/item-bank.ts';
import { isGraded, type Answer } from '../items/item.ts';
import { categoricalTraits, type CategoricalTrait } from '../taxonomy.ts';
import { gammaCdf, logGamma } from './special-functions.ts';

/** The posterior of a categorical trait: the Dirichlet parameters in the order of the taxonomy, and what follows from them. */
export type CategoricalPosterior = {
  readonly trait: CategoricalTrait;
  readonly concentration: readonly number[];
  readonly distribution: readonly { readonly value: string; readonly probability: number }[];
  readonly primary: string;
  /** P(the primary way is the largest component); 0.2 before any answer. */
  readonly confidence: number;
};

/**
 * The prior count of each way of acting: Jeffreys' 1/2. With only six scenarios, the five pseudo-answers of the uniform prior (1 each)
 * would have nearly the weight of the member's answers. With less than 1/2, two equal answers would already count as certainty.
 */
export const priorCount = 0.5;

/** Computes the Dirichlet posterior of a categorical trait: each answered scenario adds one to the chosen way. Ignores other answers. */
export function computeCategoricalPosterior(
  trait: CategoricalTrait,
  answers: readonly Answer[],
): CategoricalPosterior {
  const values: readonly string[] = categoricalTraits[trait];
  const chosen = answers.map(findChosenOption).filter((choice) => choice?.trait === trait);
  const concentration = values.map(
    (value) => priorCount + chosen.filter((choice) => choice?.value === value).length,
  );
  const total = concentration.reduce((sum, count) => sum + count, 0);
  const mode = concentration.indexOf(Math.max(...concentration));
  return {
    trait,
    concentration,
    distribution: values.map((value, index) => ({ value, probability: concentration[index]! / total })),
    primary: values[mode]!,
    confidence: computeModeConfidence(concentration),
  };
}

function computeModeConfidence(concentration: readonly number[]): number {
  return computeSortedConfidence(concentration.toSorted((one, other) => other - one).join());
}

/** The integral depends on the sorted counts only, and few answers have few combinations of counts, so the results are cached. */
const computeSortedConfidence = cacheResults(1_000, (counts) =>
  computeProbabilityOfLargest(counts.split(',').map(Number), 0),
);

function findChosenOption(
  answer: Answer,
): { readonly trait: CategoricalTrait; readonly value: string } | undefined {
  const item = requireItem(answer.item_id);
  if (isGraded(item)) return undefined;
  const option = item.options[answer.option];
  if (option === undefined) throw new RangeError(`item ${item.id} has no option ${answer.option}`);
  return { trait: item.trait, value: option.value };
}

/**
 * Computes P(component `index` of a Dirichlet vector is the largest). The components are independent gamma variables divided by their
 * sum, so this is the integral of the density of one times the distribution functions of the others. With x = u^2 the integrand is
 * smooth for parameters of 1/2 or more, and Simpson's rule with 400 steps is accurate to about 1e-9.
 */
export function computeProbabilityOfLargest(concentration: readonly number[], index: number): number {
  const shape = concentration[index]!;
  const others = concentration.filter((_, other) => other !== index);
  const end = Math.sqrt(shape) + 7;
  const step = end / simpsonSteps;
  let sum = 0;
  for (let point = 1; point <= simpsonSteps; point++) {
    const u = point * step;
    const density = 2 * Math.exp((2 * shape - 1) * Math.log(u) - u * u - logGamma(shape));
    const below = others.reduce((product, other) => product * gammaCdf(other, u * u), 1);
    sum += (point === simpsonSteps ? 1 : point % 2 === 1 ? 4 : 2) * density * below;
  }
  return Math.min(1, (sum * step) / 3);
}

const simpsonSteps = 400;

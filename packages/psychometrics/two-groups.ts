/** A table of two groups: how many were selected, of how many. */
export type TwoGroups = {
  readonly selected: number;
  readonly people: number;
  readonly other_selected: number;
  readonly other_people: number;
};

/** The two-sided probabilities of a table at least as unlikely as the one that was found, if both groups had the same chance. */
export type ExactTest = { readonly fisher: number; readonly mid_p: number };

/** Tables whose probabilities differ by less than this part count as equally likely, as in `fisher.test` of R. */
const relative_error = 1e-7;

/**
 * Computes Fisher's exact test, two-sided: the sum of the probabilities of all tables with the same margins that are at most as likely as the
 * one found. The mid-p value counts half of those that are equally likely (Lancaster 1961), because Fisher's test is conservative.
 */
export function computeExactTest({ selected, people, other_selected, other_people }: TwoGroups): ExactTest {
  const all_selected = selected + other_selected;
  const least = Math.max(0, all_selected - other_people);
  const most = Math.min(people, all_selected);
  const logFactorials = listLogFactorials(people + other_people);
  const logChoose = (all: number, some: number) =>
    logFactorials[all]! - logFactorials[some]! - logFactorials[all - some]!;
  const whole = logChoose(people + other_people, all_selected);
  const computeProbability = (count: number) =>
    Math.exp(logChoose(people, count) + logChoose(other_people, all_selected - count) - whole);
  const found = computeProbability(selected);
  let [rarer, equal] = [0, 0];
  for (let count = least; count <= most; count++) {
    const probability = computeProbability(count);
    if (Math.abs(probability - found) <= found * relative_error) equal += probability;
    else if (probability < found) rarer += probability;
  }
  return { fisher: Math.min(1, rarer + equal), mid_p: Math.min(1, rarer + equal / 2) };
}

function listLogFactorials(largest: number): Float64Array {
  const logs = new Float64Array(largest + 1);
  for (let number = 2; number <= largest; number++) logs[number] = logs[number - 1]! + Math.log(number);
  return logs;
}

/** Adjusts probabilities for the number of comparisons by the step-down method of Holm (1979). @returns them in the same order. */
export function computeAdjusted(probabilities: readonly number[]): readonly number[] {
  const order = probabilities
    .map((probability, index) => ({ probability, index }))
    .toSorted((one, other) => one.probability - other.probability);
  const adjusted = Array<number>(probabilities.length).fill(1);
  let highest = 0;
  for (const [place, { probability, index }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, probability * (probabilities.length - place)));
    adjusted[index] = highest;
  }
  return adjusted;
}

/** The standard normal deviate of a two-sided interval of 95 %. */
const deviate_95 = 1.959963984540054;
/** The one of a power of 80 %. */
const deviate_power = 0.8416212335729143;

/**
 * Computes the 95 % confidence interval of the ratio of two rates on the scale of logarithms (Katz et al. 1978). @returns undefined if one of the
 * rates is zero, because the logarithm does not exist.
 */
export function computeRatioInterval({
  selected,
  people,
  other_selected,
  other_people,
}: TwoGroups): readonly [from: number, to: number] | undefined {
  if (selected === 0 || other_selected === 0) return undefined;
  const ratio = selected / people / (other_selected / other_people);
  const error = Math.sqrt(1 / selected - 1 / people + 1 / other_selected - 1 / other_people);
  return [ratio * Math.exp(-deviate_95 * error), ratio * Math.exp(deviate_95 * error)];
}

/**
 * Computes the minimum detectable ratio: the ratio nearest to 1 at which a two-sided test of two rates at 5 % would find a difference with a
 * probability of 80 % (Fleiss, Levin and Paik 2003, formula 4.14). @returns undefined if so few people show no ratio at all.
 */
export function computeDetectableRatio(
  rate: number,
  { people, other_people }: Pick<TwoGroups, 'people' | 'other_people'>,
): number | undefined {
  const isDetectable = (ratio: number) => {
    const lower = rate * ratio;
    const pooled = (lower * people + rate * other_people) / (people + other_people);
    const without = Math.sqrt(pooled * (1 - pooled) * (1 / people + 1 / other_people));
    const withDifference = Math.sqrt((lower * (1 - lower)) / people + (rate * (1 - rate)) / other_people);
    return rate - lower >= deviate_95 * without + deviate_power * withDifference;
  };
  if (!isDetectable(0)) return undefined;
  let [low, high] = [0, 1];
  for (let step = 0; step < bisections; step++) {
    const middle = (low + high) / 2;
    if (isDetectable(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Enough for nine decimals. */
const bisections = 30;

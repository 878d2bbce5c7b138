import type { Stratum } from './item-functioning.ts';
import { logistic, normalCdf } from './special-functions.ts';
import { solveSystem } from './symmetric-matrix.ts';

/** How much higher the focal group scores than equals of the other, by ordinal logistic regression. */
export type ItemRegression = {
  /** Of Wald's test, two-sided. */
  readonly probability: number;
  /** The logarithm of the common odds ratio of a higher score. */
  readonly log_odds: number;
};

const rounds_max = 40;
const tolerance = 1e-8;

/** A longer step of scoring, as rare scores suggest, would lead to where every answer is certain and nothing can be solved. */
const step_max = 1;

/**
 * Compares the answers of two groups to an item by the proportional odds model (McCullagh 1980) of the score on the level of the trait and the group (Zumbo 1999):
 * logit P(score >= k) = a_k + b level + c group. Levels count as equally far apart. Fitted by Fisher's scoring.
 *
 * @returns undefined if a group is missing, all answers are the same, or the fit does not converge.
 */
export function fitItem(strata: readonly Stratum[]): ItemRegression | undefined {
  const cells = listCells(strata);
  const totals = sumScores(cells);
  const scores = [...totals.keys()].filter((score) => totals[score]! > 0);
  if (scores.length < 2 || new Set(cells.map(({ group }) => group)).size < 2) return undefined;
  const kept = cells.map((cell) => ({ ...cell, counts: scores.map((score) => cell.counts[score] ?? 0) }));
  let place = findStart(scores.map((score) => totals[score]!));
  for (let round = 0; round < rounds_max; round += 1) {
    const { gradient, information } = sumCells(kept, place);
    const step = solveSystem(information, gradient);
    const length = Math.max(...step.map(Math.abs));
    place = place.map((value, index) => value + step[index]! * Math.min(1, step_max / length));
    if (!place.every(Number.isFinite)) return undefined;
    if (length < tolerance) return testGroup(kept, place);
  }
  return undefined;
}

type Cell = { readonly level: number; readonly group: 0 | 1; readonly counts: readonly number[] };

function listCells(strata: readonly Stratum[]): readonly Cell[] {
  return strata
    .flatMap(({ reference, focal }, index): Cell[] => {
      const level = strata.length === 1 ? 0 : (2 * index) / (strata.length - 1) - 1;
      return [
        { level, group: 0, counts: reference },
        { level, group: 1, counts: focal },
      ];
    })
    .filter(({ counts }) => counts.some((people) => people > 0));
}

function sumScores(cells: readonly Cell[]): readonly number[] {
  const length = Math.max(0, ...cells.map(({ counts }) => counts.length));
  return Array.from({ length }, (_, score) =>
    cells.reduce((total, { counts }) => total + (counts[score] ?? 0), 0),
  );
}

/** The thresholds of everybody's answers, without level and group. */
function findStart(totals: readonly number[]): Float64Array {
  const people = totals.reduce((sum, each) => sum + each, 0);
  let below = 0;
  const thresholds = totals.slice(0, -1).map((each) => {
    below += each;
    return Math.log((people - below) / below);
  });
  return Float64Array.from([...thresholds, 0, 0]);
}

/** Sums gradient and expected information; a precision of 1e-6 on level and group makes a single level solvable, and 1e-9 on thresholds a rare score. */
function sumCells(cells: readonly Cell[], place: Float64Array) {
  const size = place.length;
  const gradient = new Float64Array(size);
  const information = new Float64Array(size * size);
  for (const index of [size - 2, size - 1]) {
    information[index * size + index]! += 1e-6;
    gradient[index]! -= 1e-6 * place[index]!;
  }
  for (let index = 0; index < size - 2; index += 1) information[index * size + index]! += 1e-9;
  for (const { level, group, counts } of cells) {
    const people = counts.reduce((sum, each) => sum + each, 0);
    const bounds = listBounds(place, level, group);
    for (const [score, count] of counts.entries()) {
      const probability = Math.max(1e-12, bounds[score]!.above - bounds[score + 1]!.above);
      const slopes = new Float64Array(size);
      addSlope(slopes, score - 1, bounds[score]!.density, { level, group });
      addSlope(slopes, score, -bounds[score + 1]!.density, { level, group });
      for (let row = 0; row < size; row += 1) {
        gradient[row]! += (count * slopes[row]!) / probability;
        for (let column = 0; column < size; column += 1)
          information[row * size + column]! += (people * slopes[row]! * slopes[column]!) / probability;
      }
    }
  }
  return { gradient, information };
}

/** Chance and density of scoring at least k, for k from nought to one above the highest score. */
function listBounds(place: Float64Array, level: number, group: number) {
  const size = place.length;
  const shift = place[size - 2]! * level + place[size - 1]! * group;
  const inner = Array.from(place.subarray(0, size - 2), (threshold) => {
    const above = logistic(threshold + shift);
    return { above, density: above * (1 - above) };
  });
  return [{ above: 1, density: 0 }, ...inner, { above: 0, density: 0 }];
}

function addSlope(
  slopes: Float64Array,
  threshold: number,
  density: number,
  { level, group }: Pick<Cell, 'level' | 'group'>,
): void {
  const size = slopes.length;
  if (threshold >= 0 && threshold < size - 2) slopes[threshold]! += density;
  slopes[size - 2]! += density * level;
  slopes[size - 1]! += density * group;
}

function testGroup(cells: readonly Cell[], place: Float64Array): ItemRegression {
  const unit = new Float64Array(place.length);
  unit[place.length - 1] = 1;
  const variance = solveSystem(sumCells(cells, place).information, unit).at(-1)!;
  const log_odds = place.at(-1)!;
  return { log_odds, probability: 2 * (1 - normalCdf(Math.abs(log_odds) / Math.sqrt(variance))) };
}

import {
  computeChoicePosterior,
  computeChoiceProbabilities,
  drawChoicePoints,
  groupByPopularity,
  wayCount,
} from '@tessera/psychometrics';
import type { ItemBank } from '../items/bank.ts';
import type { Answer, ChoiceParameters } from '../items/item.ts';
import { findChoice } from '../measurement/categorical.ts';
import { sampleEvenly } from './trait-correlations.ts';

/** What a calibration reports about the situations of a categorical trait. */
export type ChoiceReport = {
  readonly trait: string;
  readonly respondents: number;
  readonly spread: number;
  readonly norm_error: number;
  readonly cycles: number;
  readonly converged: boolean;
  /** By situation: the estimated popularity of each way, in the order of the taxonomy, and how many respondents chose it. */
  readonly scenarios: readonly {
    readonly item_id: string;
    readonly popularity: readonly number[];
    readonly chosen: readonly number[];
  }[];
};

const respondents_max = 1_000;
const cycles_max = 60;
const tolerance = 0.004;
/** The weight of the bank's own popularity and spread, in respondents. */
const prior_respondents = { popularity: 10, spread: 10 } as const;
/** Enough for an average over respondents. */
const points = drawChoicePoints(3);
/** The variance approaches its maximum slowly, so its steps are longer than those of plain expectation maximisation. */
const acceleration = 1.6;

/**
 * Estimates how popular each way of acting is in each situation, and how much members differ, from the choices of respondents: marginal
 * likelihood by expectation maximisation. Each cycle computes every respondent's posterior, and then moves the popularity of a way by the
 * logarithm of how often it was chosen over how often it was expected (iterative scaling), and the variance of the preferences to its
 * posterior expectation. The bank's own parameters have the weight of a few respondents. At most 1,000 respondents, evenly spread over
 * the list, are used.
 */
export function calibrateChoices(
  trait: string,
  bank: ItemBank<string>,
  answerSets: readonly (readonly Answer[])[],
): ChoiceReport {
  const sample = sampleEvenly(collectChoices(trait, bank, answerSets), respondents_max);
  const scenarios = bank.scenarios.filter((scenario) => scenario.trait === trait);
  const start: State = {
    popularity: new Map(scenarios.map(({ id, choice }) => [id, choice.popularity])),
    spread: scenarios[0]!.choice.spread,
  };
  const chosen = countChosen(sample, start);
  let [state, cycles, moved] = [start, 0, Infinity];
  while (cycles < cycles_max && moved > tolerance && sample.length > 0) {
    const next = improveState(state, start, sample, chosen);
    moved = computeMovement(state, next);
    state = next;
    cycles++;
  }
  return {
    trait,
    respondents: sample.length,
    spread: round(state.spread),
    norm_error:
      sample.length === 0 ? scenarios[0]!.choice.norm_error : computeNormError([...chosen.values()]),
    cycles,
    converged: sample.length === 0 || moved <= tolerance,
    scenarios: scenarios.map(({ id }) => ({
      item_id: id,
      popularity: state.popularity.get(id)!.map(round),
      chosen: chosen.get(id)!,
    })),
  };
}

/** Returns the parameters of the situations of a report by id. */
export function toChoiceParameters({
  spread,
  norm_error,
  scenarios,
}: ChoiceReport): Readonly<Record<string, ChoiceParameters>> {
  return Object.fromEntries(
    scenarios.map(({ item_id, popularity }) => [item_id, { popularity, spread, norm_error }]),
  );
}

type State = { readonly popularity: ReadonlyMap<string, readonly number[]>; readonly spread: number };

/** The ways that a respondent chose, as an index by situation. */
type Choices = ReadonlyMap<string, number>;

function collectChoices(
  trait: string,
  bank: ItemBank<string>,
  answerSets: readonly (readonly Answer[])[],
): readonly Choices[] {
  return answerSets
    .map((answers) => {
      const found = answers.flatMap((answer) =>
        findChoice(answer, trait, bank).map(({ way }) => [answer.item_id, way] as const),
      );
      return new Map(found);
    })
    .filter(({ size }) => size > 0);
}

function countChosen(
  sample: readonly Choices[],
  { popularity }: State,
): ReadonlyMap<string, readonly number[]> {
  return new Map(
    [...popularity].map(([id, ways]) => [
      id,
      ways.map((_, way) => sample.filter((choices) => choices.get(id) === way).length),
    ]),
  );
}

function improveState(
  state: State,
  start: State,
  sample: readonly Choices[],
  chosen: ReadonlyMap<string, readonly number[]>,
): State {
  const { expected, squares } = computeExpectations(state, sample);
  const prior = [computeMarginals(start), computeMarginals(state)] as const;
  const weight = prior_respondents.popularity;
  const popularity = new Map(
    [...state.popularity].map(([id, ways]) => [
      id,
      centre(
        ways.map((value, way) => {
          const seen = chosen.get(id)![way]! + weight * prior[0].get(id)![way]!;
          return value + Math.log(seen / (expected.get(id)![way]! + weight * prior[1].get(id)![way]!));
        }),
      ),
    ]),
  );
  const variance =
    (squares + prior_respondents.spread * start.spread ** 2) / (sample.length + prior_respondents.spread);
  return { popularity, spread: state.spread * (Math.sqrt(variance) / state.spread) ** acceleration };
}

/** Computes how often each way is expected in each answered situation, and the sum of the expected variances of the preferences. */
function computeExpectations(
  { popularity, spread }: State,
  sample: readonly Choices[],
): { readonly expected: ReadonlyMap<string, Float64Array>; readonly squares: number } {
  const expected = new Map([...popularity.keys()].map((id) => [id, new Float64Array(wayCount)]));
  let squares = 0;
  for (const choices of sample) {
    const groups = groupByPopularity(
      [...choices].map(([id, way]) => ({ popularity: popularity.get(id)!, way })),
    );
    const { weights, preferences } = computeChoicePosterior(groups, { spread, norm_error: 0 }, points);
    for (let point = 0; point < weights.length; point++) {
      const values = centre(preferences.map((row) => row[point]!));
      squares += (weights[point]! * values.reduce((sum, value) => sum + value * value, 0)) / (wayCount - 1);
      for (const id of choices.keys()) {
        const probabilities = computeChoiceProbabilities(popularity.get(id)!, values);
        const sums = expected.get(id)!;
        for (let way = 0; way < wayCount; way++) sums[way]! += weights[point]! * probabilities[way]!;
      }
    }
  }
  return { expected, squares };
}

/** Computes how often the population chooses each way in each situation. */
function computeMarginals(state: State): ReadonlyMap<string, readonly number[]> {
  const { weights, preferences } = computeChoicePosterior(
    [],
    { spread: state.spread, norm_error: 0 },
    points,
  );
  return new Map(
    [...state.popularity].map(([id, ways]) => {
      const sums = ways.map(() => 0);
      for (let point = 0; point < weights.length; point++) {
        const probabilities = computeChoiceProbabilities(
          ways,
          preferences.map((row) => row[point]!),
        );
        for (let way = 0; way < wayCount; way++) sums[way]! += weights[point]! * probabilities[way]!;
      }
      return [id, sums];
    }),
  );
}

function computeMovement(from: State, to: State): number {
  const moves = [...to.popularity].flatMap(([id, ways]) =>
    ways.map((value, way) => Math.abs(value - from.popularity.get(id)![way]!)),
  );
  return Math.max(Math.abs(to.spread - from.spread), ...moves);
}

/**
 * Computes the standard error of the logarithm of a way's share, sqrt((1 - p) / (n p)), as root mean square over the ways. Half an answer is
 * added to each count, so that a way that nobody chose has a finite error.
 */
function computeNormError(chosen: readonly (readonly number[])[]): number {
  const counts = Array.from({ length: wayCount }, (_, way) =>
    chosen.reduce((sum, ways) => sum + ways[way]! / chosen.length, 0.5),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  const variances = counts.map((count) => (1 - count / total) / count);
  return round(Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0) / wayCount));
}

function centre(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

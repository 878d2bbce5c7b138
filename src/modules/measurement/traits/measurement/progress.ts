import type { ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { stoppingRule } from './next-item.ts';
import { first_stage_items, type AssessmentStage } from './stages.ts';

/** How far a member has come in what they have agreed to: the first stage, and the deepening once they have chosen it. */
export type Progress = {
  readonly answered: number;
  /** How many items will probably be answered at the end of what the member has agreed to. */
  readonly estimated_total: number;
  /** The share of these items that is answered, 0 to 100. */
  readonly percent: number;
  readonly minutes_left: number;
};

/**
 * Computes the progress while an item is asked. Every answer counts the same against the usual number of items, so that the percentage never
 * decreases within a stage, as it could if the estimate followed the posterior.
 */
export function computeProgress(
  answers: readonly Answer[],
  stage: AssessmentStage,
  bank: Pick<ItemBank<string>, 'gradedByTrait' | 'scenarios'> = itemBank,
): Progress {
  const answered = answers.length;
  const end = Math.min(stage === 'first' ? first_stage_items : usualTotal, countAskable(bank));
  const estimated_total = Math.min(stoppingRule.most_items, Math.max(end, answered + 1));
  return {
    answered,
    estimated_total,
    percent: Math.min(99, Math.floor((100 * answered) / end)),
    minutes_left: computeMinutes(answers, estimated_total),
  };
}

/** Computes the progress when everything that the member has agreed to is answered. */
export function computeFullProgress({ length: answered }: readonly Answer[]): Progress {
  return { answered, estimated_total: answered, percent: 100, minutes_left: 0 };
}

/** Computes what the deepening would probably take. */
export function computeDeepening(
  answers: readonly Answer[],
  bank: Pick<ItemBank<string>, 'gradedByTrait' | 'scenarios'> = itemBank,
): {
  readonly items: number;
  readonly minutes: number;
} {
  const items = Math.max(1, Math.min(usualTotal, countAskable(bank)) - answers.length);
  return { items, minutes: computeMinutes(answers, answers.length + items) };
}

/** Counts the items that a member can get. */
function countAskable({
  gradedByTrait,
  scenarios,
}: Pick<ItemBank<string>, 'gradedByTrait' | 'scenarios'>): number {
  const { eligible_share, fewest_eligible } = stoppingRule;
  return [...gradedByTrait.values()].reduce(
    (sum, { length }) =>
      sum + Math.max(Math.min(length, fewest_eligible), Math.round(eligible_share * length)),
    scenarios.length,
  );
}

/** Computes the whole minutes, rounded up, that the items up to this number take. */
function computeMinutes(answers: readonly Answer[], total: number): number {
  return Math.ceil(((total - answers.length) * computePace(answers)) / 60_000);
}

/** The median number of items in the simulation of `measurement-gate.test.ts`. */
export const usualTotal = 112;

/** The milliseconds an item that are assumed before the member's own pace is known: about 15 words at 200 words a minute, and a choice. */
const usual_pace_ms = 7_000;

/** The number of timed answers from which the member's own pace is used. */
const fewest_timed_answers = 5;

/** Computes the member's median response time, which a pause does not change, in ms within 1 s and 1 minute. */
function computePace(answers: readonly Answer[]): number {
  const times = answers
    .flatMap(({ response_time_ms }) => response_time_ms ?? [])
    .toSorted((one, other) => one - other);
  if (times.length < fewest_timed_answers) return usual_pace_ms;
  return Math.min(60_000, Math.max(1_000, times[Math.floor(times.length / 2)]!));
}

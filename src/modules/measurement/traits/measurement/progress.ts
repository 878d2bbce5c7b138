import type { Answer } from '../items/item.ts';
import { stoppingRule } from './next-item.ts';
import { first_stage_items, type AssessmentStage } from './stages.ts';

export type Progress = {
  /** All answered items, those of an earlier stage included. */
  readonly answered: number;
  /** How many items will probably be answered at the end of the stage, those of an earlier stage included. */
  readonly estimated_total: number;
  /** The progress of the stage, 0 to 100. */
  readonly percent: number;
  readonly minutes_left: number;
};

/**
 * Computes the progress of the current stage. Every answer counts the same against the usual number of items, so that the percentage never
 * decreases within a stage, as it could if the estimate followed the posterior. It is 100 exactly if the assessment is complete.
 */
export function computeProgress(answers: readonly Answer[], stage: AssessmentStage): Progress {
  const answered = answers.length;
  if (stage === 'complete') return { answered, estimated_total: answered, percent: 100, minutes_left: 0 };
  const [start, end] = stage === 'first' ? [0, first_stage_items] : [first_stage_items, usualTotal];
  const estimated_total = Math.min(stoppingRule.most_items, Math.max(end, answered + 1));
  return {
    answered,
    estimated_total,
    percent: Math.max(0, Math.min(99, Math.floor((100 * (answered - start)) / (end - start)))),
    minutes_left: Math.ceil(((estimated_total - answered) * computePace(answers)) / 60_000),
  };
}

/** The median number of items in the simulation of `measurement-gate.test.ts`. */
export const usualTotal = 117;

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

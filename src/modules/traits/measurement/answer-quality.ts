import { requireItem } from '../items/item-bank.ts';
import { isGraded, isSkipped, type Answer, type GradedItem } from '../items/item.ts';
import { toKeyedCategory } from './graded-response.ts';

export type QualityFlag = 'straight_lining' | 'inconsistent_reversed_items' | 'fast_answers';

/** Signals of how carefully statements were answered. A flag excludes the assessment from calibrations and has no other effect. */
export type AnswerQuality = {
  /** The longest run of the same option. */
  readonly longest_run: number;
  /** The mean distance after keying, in steps of the scale, between the reversed and the other statements of a trait; null without both. */
  readonly reversed_gap: number | null;
  readonly median_response_time_ms: number | null;
  readonly flags: readonly QualityFlag[];
};

/**
 * The limits of the flags. Among 600 simulated members who answer according to the model, the longest run was 9 and the widest gap 0.96,
 * while agreement with everything gives a gap of 2 or more. Huang and others 2012 (J Bus Psychol 27) consider less than 2 s an item
 * careless; 1.2 s allows for fast readers.
 */
export const qualityLimits = { longest_run: 15, reversed_gap: 1.25, median_response_time_ms: 1200 } as const;

/** Computes quality signals of answers in the order given: long-string index, reversed items (Meade and Craig 2012), median time. */
export function computeAnswerQuality(answers: readonly Answer[]): AnswerQuality {
  const graded = answers.flatMap(toGradedAnswers);
  const longest_run = computeLongestRun(graded.map(({ answer }) => answer.option));
  const reversed_gap = computeReversedGap(graded);
  const median_response_time_ms = median(
    graded.flatMap(({ answer }) => (answer.response_time_ms === undefined ? [] : [answer.response_time_ms])),
  );
  const flags: QualityFlag[] = [];
  if (longest_run >= qualityLimits.longest_run) flags.push('straight_lining');
  if (reversed_gap !== null && reversed_gap > qualityLimits.reversed_gap)
    flags.push('inconsistent_reversed_items');
  if (median_response_time_ms !== null && median_response_time_ms < qualityLimits.median_response_time_ms)
    flags.push('fast_answers');
  return { longest_run, reversed_gap, median_response_time_ms, flags };
}

type GradedAnswer = { readonly answer: Answer; readonly item: GradedItem };

function toGradedAnswers(answer: Answer): GradedAnswer[] {
  const item = requireItem(answer.item_id);
  return isGraded(item) && !isSkipped(item, answer.option) ? [{ answer, item }] : [];
}

function computeLongestRun(options: readonly number[]): number {
  let longest = 0;
  let run = 0;
  for (const [index, option] of options.entries()) {
    run = option === options[index - 1] ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

function computeReversedGap(answers: readonly GradedAnswer[]): number | null {
  const traits = Map.groupBy(answers, ({ item }) => item.trait).values();
  const gaps = [...traits].flatMap((traitAnswers) => {
    const reversed = computeMeanCategory(traitAnswers.filter(({ item }) => item.reversed));
    const others = computeMeanCategory(traitAnswers.filter(({ item }) => !item.reversed));
    return reversed === null || others === null ? [] : [Math.abs(reversed - others)];
  });
  return mean(gaps);
}

function computeMeanCategory(answers: readonly GradedAnswer[]): number | null {
  return mean(answers.map(({ answer, item }) => toKeyedCategory(item, answer.option)));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

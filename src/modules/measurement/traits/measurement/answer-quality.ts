import type { ItemBank } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { computeAnswerEvidence, listStatementAnswers } from './person-fit.ts';

/** Signals that answers say less about the member than usual. Each has harmless reasons, and only the member reads them. */
export const qualityFlags = ['straight_lining', 'inconsistent', 'too_fast', 'idealised'] as const;

export type QualityFlag = (typeof qualityFlags)[number];

/** How carefully and plausibly statements were answered. */
export type AnswerQuality = {
  /** The longest run of the same option (long-string index, Johnson 2005). */
  readonly longest_run: number;
  /** The longest stretch of answers that each repeat the option two to five places before, as if a pattern was clicked. */
  readonly longest_pattern: number;
  /** The probabilities that the answers are careless, and that nearly all are idealised, from {@link computeAnswerEvidence}. */
  readonly careless_probability: number;
  readonly idealised_probability: number;
  /** The mean of all traits, in standard deviations of this mean in the population. */
  readonly elevation: number;
  readonly median_response_time_ms: number | null;
  readonly flags: readonly QualityFlag[];
  /** How much weight the answers get against what is known about everyone, from 0 to 1. */
  readonly trust: number;
};

/**
 * The limits of the flags. docs/decisions/answer-quality.md reports how many honest and careless respondents each flags. Huang and others 2012 (J Bus Psychol
 * 27) consider less than 2 s an item careless; 1.2 s allows for fast readers. Nobody reads and answers in 0.2 s: such times come from
 * clients that send stored answers, for example after a time without a connection, and say nothing about the member.
 */
export const qualityLimits = {
  longest_run: 12,
  longest_pattern: 20,
  careless_probability: 0.5,
  idealised_probability: 2 / 3,
  /** An elevation that is implausible by itself, and one without which answers are not called idealised. */
  elevation: 3.5,
  idealised_elevation: 0.5,
  human_response_time_ms: 200,
  median_response_time_ms: 1200,
} as const;

/**
 * Before anything is known, one in ten respondents answers carelessly (Meade and Craig 2012, Psychol Methods 17: 10 to 12 %). That one in
 * twenty idealises nearly every answer is a judgement.
 */
const expectedShares = { careless: 0.1, idealised: 0.05 } as const;

/** The most trust in flagged answers. At a sixth, even the most favourable answers lead to moderate matches at most; at a fifth they did not. */
const flaggedTrust = 1 / 6;

/**
 * Computes quality signals of answers in the order given.
 *
 * @param mean The posterior means of the traits, in the order of the bank.
 */
export function computeAnswerQuality(
  answers: readonly Answer[],
  mean: readonly number[],
  bank: ItemBank<string>,
): AnswerQuality {
  const statements = listStatementAnswers(answers, bank);
  const { careless, idealised } = computeAnswerEvidence(statements, bank);
  const signals = {
    longest_run: computeLongestRun(statements, 1),
    longest_pattern: Math.max(...[2, 3, 4, 5].map((period) => computeLongestRun(answers, period))),
    careless_probability: toProbability(expectedShares.careless, careless),
    idealised_probability: toProbability(expectedShares.idealised, idealised),
    elevation: computeElevation(mean, bank),
    median_response_time_ms: median(answers.flatMap(({ response_time_ms }) => response_time_ms ?? [])),
  };
  const flags = listFlags(signals);
  const trust = Math.min(1 - signals.careless_probability, flags.length > 0 ? flaggedTrust : 1);
  return { ...signals, flags, trust };
}

/** Computes the probability after the evidence, ln of a ratio of likelihoods, from the one before it. */
function toProbability(before: number, evidence: number): number {
  return before / (before + (1 - before) * Math.exp(-evidence));
}

function listFlags({
  longest_run,
  longest_pattern,
  careless_probability,
  idealised_probability,
  elevation,
  median_response_time_ms,
}: Omit<AnswerQuality, 'flags' | 'trust'>): readonly QualityFlag[] {
  const raised: Readonly<Record<QualityFlag, boolean>> = {
    straight_lining:
      longest_run >= qualityLimits.longest_run || longest_pattern >= qualityLimits.longest_pattern,
    inconsistent: careless_probability > qualityLimits.careless_probability,
    too_fast:
      median_response_time_ms !== null &&
      median_response_time_ms >= qualityLimits.human_response_time_ms &&
      median_response_time_ms < qualityLimits.median_response_time_ms,
    idealised:
      elevation > qualityLimits.elevation ||
      (idealised_probability > qualityLimits.idealised_probability &&
        elevation > qualityLimits.idealised_elevation),
  };
  return (Object.keys(raised) as QualityFlag[]).filter((flag) => raised[flag]);
}

/** Computes the longest run of options that each equal the option `period` places before, the first included. */
function computeLongestRun(answers: readonly Pick<Answer, 'option'>[], period: number): number {
  let longest = 0;
  let run = 0;
  for (const [index, { option }] of answers.entries()) {
    run = option === answers[index - period]?.option ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Computes the sum of the means of the traits that have statements over its standard deviation in the population, sqrt(1'R1). */
function computeElevation(mean: readonly number[], bank: ItemBank<string>): number {
  const { covariance, gradedByTrait, traits } = bank;
  const isMeasured = traits.map((trait) => gradedByTrait.has(trait));
  const sumMeasured = (values: readonly number[]) =>
    values.reduce((sum, value, slot) => sum + (isMeasured[slot] ? value : 0), 0);
  return sumMeasured(mean) / Math.sqrt(sumMeasured(covariance.map(sumMeasured)));
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** An outcome as learning reads it: without its reason. */
export type RecordedOutcome = {
  readonly outcome: 'placed' | 'not_placed' | 'extended' | 'left';
  readonly placed_at: Date | null;
  readonly ended_at: Date | null;
};

/** A rating as learning reads it: without its words. */
export type GivenRating = {
  readonly stage_days: 30 | 90 | 180;
  readonly respondent: 'member' | 'organisation';
  readonly overall_rating: number;
};

/** How good what became of a match was, from 0 to 1, and how much it says. */
export type Result = { readonly value: number; readonly weight: number };

/** How much each kind of record counts. What is said later, after more experience, counts more. */
export const recordWeights = {
  placed: 0.25,
  not_placed: 0.25,
  extended: 0.5,
  left_early: 0.5,
  stayed: 0.5,
  rating: { 30: 0.5, 90: 0.75, 180: 1 },
} as const;

const day_ms = 86_400_000;
const early_days = 90;
const stayed_days = 180;

/**
 * Summarises all that is known about a match as one value and one weight. A rating from 1 to 5 counts as (rating - 1) / 4. In a logistic model, the mean
 * of several values with the sum of their weights is the same as all of them.
 */
export function summariseResults(
  outcomes: readonly RecordedOutcome[],
  ratings: readonly GivenRating[],
): Result {
  const results = [...listOutcomeResults(outcomes), ...ratings.map(toResult)];
  const weight = results.reduce((sum, each) => sum + each.weight, 0);
  const value = results.reduce((sum, each) => sum + each.weight * each.value, 0);
  return weight === 0
    ? { value: 0.5, weight: 0 }
    : { value: Math.min(1, Math.max(0, value / weight)), weight };
}

function toResult({ stage_days, overall_rating }: GivenRating): Result {
  return { value: (overall_rating - 1) / 4, weight: recordWeights.rating[stage_days] };
}

function listOutcomeResults(outcomes: readonly RecordedOutcome[]): readonly Result[] {
  const results: Result[] = [];
  const has = (outcome: RecordedOutcome['outcome']) => outcomes.some((each) => each.outcome === outcome);
  if (has('placed')) results.push({ value: 1, weight: recordWeights.placed });
  if (has('not_placed')) results.push({ value: 0, weight: recordWeights.not_placed });
  if (has('extended')) results.push({ value: 1, weight: recordWeights.extended });
  const last = outcomes.at(-1);
  if (last?.outcome === 'left') results.push(...judgeEnd(last, findPlannedEnd(outcomes)));
  return results;
}

function findPlannedEnd(outcomes: readonly RecordedOutcome[]): Date | null {
  return outcomes.findLast(({ outcome }) => outcome === 'placed' || outcome === 'extended')?.ended_at ?? null;
}

/** A placement that ends within 90 days, and before its planned end, was a bad one; one of 180 days or more a good one. In between it says nothing. */
function judgeEnd({ placed_at, ended_at }: RecordedOutcome, planned_end: Date | null): readonly Result[] {
  if (!placed_at || !ended_at) return [];
  const days = (ended_at.getTime() - placed_at.getTime()) / day_ms;
  if (days >= stayed_days) return [{ value: 1, weight: recordWeights.stayed }];
  const isPlanned = planned_end !== null && ended_at >= planned_end;
  return days < early_days && !isPlanned ? [{ value: 0, weight: recordWeights.left_early }] : [];
}

/** After how many days an observation counts half, because work and organisations change. */
export const half_life_days = 730;

/** Computes how much an observation counts after some time. */
export function computeFadedWeight(weight: number, observed_at: Date, now: Date): number {
  const days = Math.max(0, now.getTime() - observed_at.getTime()) / day_ms;
  return weight * 2 ** (-days / half_life_days);
}

/** How a version of the policy is named in an address and by a command. */
export const versionDigits = /^[1-9][0-9]{0,4}$/;

/** The highest number of a version: the database has no higher one. */
export const version_max = 32_767;
/** An outcome as learning reads it: without its reason. */
export type RecordedOutcome = {
  readonly outcome: 'placed' | 'not_placed' | 'extended' | 'left';
  readonly placed_at: Date | null;
  readonly ended_at: Date | null;
  readonly recorded_at: Date;
};

/** A rating as learning reads it: without its words. */
export type GivenRating = {
  readonly stage_days: 30 | 90 | 180;
  readonly respondent: 'member' | 'organisation';
  readonly overall_rating: number;
  readonly created_at: Date;
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
const stages = [180, 90, 30] as const;
const early_days = 90;
const stayed_days = 180;

/** How many days late a placement may be recorded so that everything said about it counts in full. */
export const late_days_max = 14;

/**
 * Summarises all that is known about a match as one value and one weight. A rating from 1 to 5 counts as (rating - 1) / 4. In a logistic model, the mean
 * of several values with the sum of their weights is the same as all of them.
 *
 * An organisation states when a placement began, and may date it back. How long it has lasted therefore also follows from the time at which the service
 * recorded it: what is said about a longer time counts as much as what can be said after that time.
 */
export function summariseResults(
  outcomes: readonly RecordedOutcome[],
  ratings: readonly GivenRating[],
): Result {
  const results = [...listOutcomeResults(outcomes), ...listRatingResults(outcomes, ratings)];
  const weight = results.reduce((sum, each) => sum + each.weight, 0);
  const value = results.reduce((sum, each) => sum + each.weight * each.value, 0);
  return weight === 0
    ? { value: 0.5, weight: 0 }
    : { value: Math.min(1, Math.max(0, value / weight)), weight };
}

function listRatingResults(
  outcomes: readonly RecordedOutcome[],
  ratings: readonly GivenRating[],
): readonly Result[] {
  return ratings.flatMap(({ stage_days, overall_rating, created_at }) => {
    const days = Math.min(stage_days, countKnownDays(outcomes, created_at));
    const stage = stages.find((each) => each <= days);
    return stage === undefined
      ? []
      : [{ value: (overall_rating - 1) / 4, weight: recordWeights.rating[stage] }];
  });
}

function listOutcomeResults(outcomes: readonly RecordedOutcome[]): readonly Result[] {
  const results: Result[] = [];
  const has = (outcome: RecordedOutcome['outcome'], days = 0) =>
    outcomes.some((each) => each.outcome === outcome && countKnownDays(outcomes, each.recorded_at) >= days);
  if (has('placed')) results.push({ value: 1, weight: recordWeights.placed });
  if (has('not_placed')) results.push({ value: 0, weight: recordWeights.not_placed });
  if (has('extended', 30)) results.push({ value: 1, weight: recordWeights.extended });
  const last = outcomes.at(-1);
  if (last?.outcome === 'left') results.push(...judgeEnd(last, outcomes));
  return results;
}

/** How many days a placement had been known to the service at a time, and up to two weeks more. */
function countKnownDays(outcomes: readonly RecordedOutcome[], time: Date): number {
  const placed = outcomes.find(({ outcome }) => outcome === 'placed');
  return placed ? (time.getTime() - placed.recorded_at.getTime()) / day_ms + late_days_max : 0;
}

/** A placement that ends within 90 days, and before its planned end, was a bad one; one of 180 days or more a good one. In between it says nothing. */
function judgeEnd(
  { placed_at, ended_at, recorded_at }: RecordedOutcome,
  outcomes: readonly RecordedOutcome[],
): readonly Result[] {
  if (!placed_at || !ended_at) return [];
  const days = (ended_at.getTime() - placed_at.getTime()) / day_ms;
  if (days >= stayed_days)
    return countKnownDays(outcomes, recorded_at) >= stayed_days
      ? [{ value: 1, weight: recordWeights.stayed }]
      : [];
  const planned_end = findPlannedEnd(outcomes);
  const isPlanned = planned_end !== null && ended_at >= planned_end;
  return days < early_days && !isPlanned ? [{ value: 0, weight: recordWeights.left_early }] : [];
}

function findPlannedEnd(outcomes: readonly RecordedOutcome[]): Date | null {
  return outcomes.findLast(({ outcome }) => outcome === 'placed' || outcome === 'extended')?.ended_at ?? null;
}

/** After how many days an observation counts half, because work and organisations change. */
export const half_life_days = 730;

/** Computes how much an observation counts after some time. */
export function computeFadedWeight(weight: number, observed_at: Date, now: Date): number {
  const days = Math.max(0, now.getTime() - observed_at.getTime()) / day_ms;
  return weight * 2 ** (-days / half_life_days);
}

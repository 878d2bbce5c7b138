import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { runAllChecks } from '#lib/run-all-checks.ts';
import { feedbackStages, type Feedback, type FeedbackStage, type Respondent } from './resource.ts';

/** What can become of a match that the member has accepted. */
export const outcomes = ['placed', 'not_placed', 'left', 'extended'] as const;

export type Outcome = (typeof outcomes)[number];

export type DatedOutcome =
  | { readonly outcome: 'not_placed'; readonly placed_at: null; readonly ended_at: null }
  | { readonly outcome: 'placed' | 'extended'; readonly placed_at: Date; readonly ended_at: Date | null }
  | { readonly outcome: 'left'; readonly placed_at: Date; readonly ended_at: Date };

export type OutcomeRecord = DatedOutcome & {
  readonly id: string;
  readonly reason: string | null;
  readonly recorded_at: Date;
  /** Whether it repeats the outcome before it with another beginning, because that one was wrong. */
  readonly corrects_date: boolean;
};

/** An outcome as it is requested. A date that is left out gets its usual value. */
export type RequestedOutcome = {
  readonly outcome: Outcome;
  readonly placed_at?: Date | undefined;
  readonly ended_at?: Date | undefined;
};

/** The outcomes that can follow each outcome; `none` stands for a match without one. */
const followers: Readonly<Record<Outcome | 'none', readonly Outcome[]>> = {
  none: ['placed', 'not_placed'],
  placed: ['extended', 'left'],
  extended: ['extended', 'left'],
  not_placed: [],
  left: [],
};

/** The outcomes of one match: a contract that is extended more often is one without an end. */
export const outcomes_max = 20;

/** Checks that a match can have a further outcome. @throws Refusal `outcome_conflict`. */
export function checkOutcomeCount(before: readonly OutcomeRecord[]): void {
  if (before.length === outcomes_max)
    throw new Refusal('outcome_conflict', { detail: `A match has at most ${outcomes_max} outcomes.` });
}

const day_ms = 86_400_000;
const year_ms = 365.25 * day_ms;
const past_years_max = 10;
const planned_years_max = 10;
const notice_years_max = 1;

/**
 * Checks the dates of a requested outcome as far as they say it by themselves.
 *
 * @throws Refusal `field_invalid`, which names every date that is not possible.
 */
export function checkOutcomeDates(requested: RequestedOutcome, now: Date): void {
  const { outcome, placed_at, ended_at } = requested;
  if (outcome === 'not_placed') return void checkNotPlaced(requested);
  runAllChecks(
    () => placed_at && outcome === 'placed' && checkBeginning(placed_at, now),
    () => ended_at && checkEnd(outcome, ended_at, now),
  );
}

/**
 * Decides which outcome is recorded after the last one, with its dates. `placed` starts now unless a date says otherwise, `left` ends now,
 * and a placement without a planned end has none.
 *
 * @throws Refusal `outcome_conflict` if the outcome does not follow from the last one; `field_invalid` with the date that is wrong.
 */
export function decideOutcome(
  last: DatedOutcome | undefined,
  requested: RequestedOutcome,
  now: Date,
): DatedOutcome {
  const { outcome } = requested;
  if (!followers[last?.outcome ?? 'none'].includes(outcome)) throw createConflict(last?.outcome, outcome);
  if (outcome === 'not_placed') return checkNotPlaced(requested);
  const placed_at = decidePlacedAt(last, requested, now);
  if (outcome === 'left') return { outcome, placed_at, ended_at: decideLeftAt(placed_at, requested, now) };
  return { outcome, placed_at, ended_at: decidePlannedEnd(placed_at, { last, requested, now }) };
}

function createConflict(last: Outcome | undefined, outcome: Outcome): Refusal {
  return new Refusal('outcome_conflict', {
    detail: last
      ? `${outcome} cannot follow the recorded outcome ${last}.`
      : `${outcome} can be recorded only after the outcome placed.`,
  });
}

function checkNotPlaced({ placed_at, ended_at }: RequestedOutcome): DatedOutcome {
  const reason = 'must be left out with the outcome not_placed';
  runAllChecks(
    () => {
      if (placed_at) throw createDateRefusal('/placed_at', reason);
    },
    () => {
      if (ended_at) throw createDateRefusal('/ended_at', reason);
    },
  );
  return { outcome: 'not_placed', placed_at: null, ended_at: null };
}

function decidePlacedAt(last: DatedOutcome | undefined, { placed_at }: RequestedOutcome, now: Date): Date {
  const recorded = last?.placed_at;
  if (recorded) {
    if (placed_at && placed_at.getTime() !== recorded.getTime())
      throw createDateRefusal('/placed_at', 'must be left out or be the recorded time of the placement');
    return recorded;
  }
  if (!placed_at) return now;
  checkBeginning(placed_at, now);
  return placed_at;
}

function checkBeginning(placed_at: Date, now: Date): void {
  if (placed_at.getTime() > now.getTime() + notice_years_max * year_ms)
    throw createDateRefusal('/placed_at', 'must not be more than a year in the future');
  if (placed_at.getTime() < now.getTime() - past_years_max * year_ms)
    throw createDateRefusal('/placed_at', 'must not be more than ten years ago');
}

function checkEnd(outcome: Outcome, ended_at: Date, now: Date): void {
  const [years_max, reason] =
    outcome === 'left'
      ? [notice_years_max, 'must not be more than a year in the future']
      : [planned_years_max, 'must not be more than ten years in the future'];
  if (ended_at.getTime() > now.getTime() + years_max * year_ms) throw createDateRefusal('/ended_at', reason);
}

function decideLeftAt(placed_at: Date, { ended_at }: RequestedOutcome, now: Date): Date {
  const left_at = ended_at ?? now;
  if (left_at < placed_at) throw createDateRefusal('/ended_at', 'must not be before the placement');
  checkEnd('left', left_at, now);
  return left_at;
}

type PlannedEnd = {
  readonly last: DatedOutcome | undefined;
  readonly requested: RequestedOutcome;
  readonly now: Date;
};

function decidePlannedEnd(placed_at: Date, { last, requested, now }: PlannedEnd): Date | null {
  const { ended_at } = requested;
  if (!ended_at) return null;
  if (ended_at <= placed_at) throw createDateRefusal('/ended_at', 'must be after the placement');
  if (last?.ended_at && ended_at <= last.ended_at)
    throw createDateRefusal('/ended_at', 'must be after the end that was planned before');
  checkEnd(requested.outcome, ended_at, now);
  return ended_at;
}

function createDateRefusal(pointer: string, reason: string): Refusal {
  return createFieldRefusal('field_invalid', pointer, reason);
}

/**
 * Decides what is recorded when the beginning of a placement was wrong: the last outcome again, with the right beginning.
 *
 * @throws Refusal `outcome_conflict` without a placement, or if feedback would have been given before its stage opened; `field_invalid` if the
 *   date is not possible.
 */
export function correctBeginning(
  last: DatedOutcome | undefined,
  { placed_at, feedback }: { readonly placed_at: Date; readonly feedback: readonly GivenFeedback[] },
  now: Date,
): DatedOutcome {
  if (!last?.placed_at)
    throw new Refusal('outcome_conflict', {
      detail: 'The match has no placement whose date could be wrong.',
    });
  if (placed_at.getTime() === last.placed_at.getTime())
    throw createDateRefusal('/placed_at', 'must differ from the recorded time of the placement');
  decidePlacedAt(undefined, { outcome: 'placed', placed_at }, now);
  if (last.ended_at && placed_at >= last.ended_at)
    throw createDateRefusal('/placed_at', 'must be before the end of the placement');
  const corrected = { ...last, placed_at };
  checkGivenFeedback(corrected, feedback);
  return corrected;
}

type GivenFeedback = Pick<Feedback, 'stage_days' | 'created_at'>;

function checkGivenFeedback(corrected: DatedOutcome, feedback: readonly GivenFeedback[]): void {
  const stages = listStages(corrected);
  const early = feedback.find(
    ({ stage_days, created_at }) =>
      !stages.some((stage) => stage.stage_days === stage_days && stage.opens_at <= created_at),
  );
  if (early)
    throw new Refusal('outcome_conflict', {
      detail: `Feedback on day ${early.stage_days} was given before that day of the corrected placement.`,
    });
}

export type Stage = { readonly stage_days: FeedbackStage; readonly opens_at: Date };

/** Lists the stages that a placement reaches: all of them, or those before its end if the member has left. */
export function listStages(current: DatedOutcome | undefined): readonly Stage[] {
  if (!current?.placed_at) return [];
  const { outcome, placed_at, ended_at } = current;
  return feedbackStages
    .map((stage_days) => ({ stage_days, opens_at: new Date(placed_at.getTime() + stage_days * day_ms) }))
    .filter(({ opens_at }) => outcome !== 'left' || opens_at <= ended_at);
}

/** Finds the first stage of a placement that opens after a time. */
export function findNextStage(current: DatedOutcome | undefined, after: Date): Stage | undefined {
  return listStages(current).find(({ opens_at }) => opens_at > after);
}

/**
 * Checks that feedback on a stage is accepted now.
 *
 * @throws Refusal `feedback_not_open`.
 */
export function checkStage(current: DatedOutcome | undefined, stage_days: FeedbackStage, now: Date): void {
  if (!current?.placed_at)
    throw createNotOpenRefusal('Feedback is given on a placement, and this match has none.');
  const stage = listStages(current).find((each) => each.stage_days === stage_days);
  if (!stage) throw createNotOpenRefusal(`The placement ended before day ${stage_days}.`);
  if (stage.opens_at > now)
    throw createNotOpenRefusal(`Feedback on day ${stage_days} opens at ${stage.opens_at.toISOString()}.`);
}

function createNotOpenRefusal(detail: string): Refusal {
  return new Refusal('feedback_not_open', { detail });
}

type Answers = {
  readonly feedback: readonly Pick<Feedback, 'stage_days' | 'respondent'>[];
  readonly respondent: Respondent;
  readonly now: Date;
};

/** Finds the latest stage of a placement that has opened, unless this side has answered it. */
export function findUnansweredStage(
  current: DatedOutcome | undefined,
  { feedback, respondent, now }: Answers,
): FeedbackStage | undefined {
  const latest = listStages(current).findLast(({ opens_at }) => opens_at <= now);
  const isAnswered = feedback.some(
    (each) => each.respondent === respondent && each.stage_days === latest?.stage_days,
  );
  return isAnswered ? undefined : latest?.stage_days;
}

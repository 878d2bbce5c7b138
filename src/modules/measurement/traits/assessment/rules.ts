const day_ms = 86_400_000;

/** Days from a result to the next assessment: the usual number, and the one for the first retake of answers that say little. */
const waiting_days = { usual: 30, early: 1 } as const;

/** What the time of the next assessment depends on. */
export type LatestResult = {
  /** When the latest result was recorded. */
  readonly completed_at: Date;
  readonly quality_flags: readonly string[];
  /** Whether the assessment before this one ended with answers that said little. */
  readonly follows_flagged: boolean;
};

/** What a member is offered after an assessment. */
export type Retake = {
  /** From when on another assessment may start. */
  readonly available_at: Date;
  /** A suggestion to take it again; null if there is no reason to. */
  readonly advice: string | null;
};

/**
 * Decides when a member may take the assessment again, and whether to suggest it. Another assessment may start after 30 days. Answers that
 * say little may be repeated after one day, but not twice in a row: otherwise somebody who fakes could practise until nothing is noticed.
 * So three assessments never start within 30 days. The suggestion states no reason, because all are guesses.
 */
export function computeRetake({ completed_at, quality_flags, follows_flagged }: LatestResult): Retake {
  const isFlagged = quality_flags.length > 0;
  const days = isFlagged && !follows_flagged ? waiting_days.early : waiting_days.usual;
  return {
    available_at: new Date(completed_at.getTime() + days * day_ms),
    advice: isFlagged ? retakeAdvice : null,
  };
}

const retakeAdvice =
  'Your answers leave us less certain about you than usual. This happens easily, for example when there is little time or something else is going on. You are welcome to take the assessment again at a quiet moment.';

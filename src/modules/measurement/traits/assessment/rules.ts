const day_ms = 86_400_000;

/** Days between two assessments, so that nobody looks for better results by repeating. Answers that say little may be repeated at once. */
const cooling_off_days = 30;

/** What a member is offered after an assessment. */
export type Retake = {
  /** From when on another assessment may start. */
  readonly available_at: Date;
  /** A suggestion to take it again; null if there is no reason to. */
  readonly advice: string | null;
};

/** Decides when a member may take the assessment again, and whether to suggest it. The suggestion states no reason, because all are guesses. */
export function computeRetake(completed_at: Date, quality_flags: readonly string[]): Retake {
  const flagged = quality_flags.length > 0;
  const days = flagged ? 0 : cooling_off_days;
  return {
    available_at: new Date(completed_at.getTime() + days * day_ms),
    advice: flagged ? retakeAdvice : null,
  };
}

const retakeAdvice =
  'Your answers leave us less certain about you than usual. This happens easily, for example when there is little time or something else is going on. You are welcome to take the assessment again at a quiet moment.';

/** Computes the whole seconds until a time, rounded up; 0 if it has passed. */
export function computeWaitSeconds(until: Date, now: Date): number {
  return Math.max(0, Math.ceil((until.getTime() - now.getTime()) / 1000));
}

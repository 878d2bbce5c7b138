import type { Reader } from '#platform/database/database.ts';
import type { FeedbackStage, Respondent } from './resource.ts';
import { findUnansweredStage } from './rules.ts';
import { findLastOutcome, listFeedback, type MatchPlace } from './store.ts';

/** Finds the latest stage of a placement that has opened, if this side has not answered it yet. */
export async function findOpenStage(
  db: Reader,
  match: MatchPlace,
  respondent: Respondent,
  now: Date,
): Promise<FeedbackStage | undefined> {
  const [outcome, feedback] = await Promise.all([findLastOutcome(db, match), listFeedback(db, match)]);
  return findUnansweredStage(outcome, { feedback, respondent, now });
}

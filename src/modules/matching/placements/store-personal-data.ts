import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { MatchPlace } from './store.ts';

type ExportedRow = Readonly<Record<string, unknown>>;

export function exportOutcomes(db: Reader, matches: readonly MatchPlace[]): Promise<ExportedRow[]> {
  return db.list(sql<ExportedRow>`
    select match_outcomes.match_id, outcome, placed_at, ended_at, reason, recorded_at, corrects_date
    from unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as own (job_id, id)
      join match_outcomes on match_outcomes.job_id = own.job_id and match_outcomes.match_id = own.id
    order by recorded_at, match_outcomes.match_id, number`);
}

/** Lists the feedback on matches, of both sides. */
export function exportFeedback(db: Reader, matches: readonly MatchPlace[]): Promise<ExportedRow[]> {
  return db.list(sql<ExportedRow>`
    select match_feedback.match_id, respondent, stage_days, overall_rating, performance, belonging, growth, would_repeat, comment, created_at
    from unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as own (job_id, id)
      join match_feedback on match_feedback.job_id = own.job_id and match_feedback.match_id = own.id
    order by created_at, match_feedback.match_id, stage_days`);
}

/** Deletes outcomes, feedback and waiting stages of matches. */
export async function deleteAll(tx: Transaction, matches: readonly MatchPlace[]): Promise<void> {
  if (matches.length === 0) return;
  await tx.run(sql`
    delete from match_outcomes using unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as gone (job_id, id)
    where match_outcomes.job_id = gone.job_id and match_outcomes.match_id = gone.id`);
  await tx.run(sql`
    delete from match_feedback using unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as gone (job_id, id)
    where match_feedback.job_id = gone.job_id and match_feedback.match_id = gone.id`);
  await tx.run(sql`
    delete from feedback_stages using unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as gone (job_id, id)
    where feedback_stages.job_id = gone.job_id and feedback_stages.match_id = gone.id`);
}

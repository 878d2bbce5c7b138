import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import { feedbackResource, type Feedback } from './resource.ts';
import type { OutcomeRecord, Stage } from './rules.ts';

/** What finds a match and all that belongs to it, on the node of its job. */
export type MatchPlace = { readonly id: string; readonly job_id: string };

const outcomeColumns = sql`id, outcome, placed_at, ended_at, reason, recorded_at, corrects_date`;

/** Lists the outcomes of a match, the oldest first: at most 20. */
export function listOutcomes(db: Reader, { id, job_id }: MatchPlace): Promise<OutcomeRecord[]> {
  return db.list(sql<OutcomeRecord>`
    select ${outcomeColumns} from match_outcomes where job_id = ${job_id} and match_id = ${id} order by number`);
}

/** Finds the last outcome of a match, which says what is true now. */
export function findLastOutcome(db: Reader, { id, job_id }: MatchPlace): Promise<OutcomeRecord | undefined> {
  return db.find(sql<OutcomeRecord>`
    select ${outcomeColumns} from match_outcomes where job_id = ${job_id} and match_id = ${id}
    order by number desc limit 1`);
}

/** Adds an outcome with the next number to a match that the transaction has locked. */
export function insertOutcome(
  tx: Transaction,
  { id, job_id }: MatchPlace,
  record: OutcomeRecord,
  number: number,
): void {
  void tx.runAhead(sql`
    insert into match_outcomes (job_id, match_id, number, id, outcome, placed_at, ended_at, reason, recorded_at, corrects_date)
    values (${job_id}, ${id}, ${number}, ${record.id}, ${record.outcome}, ${record.placed_at}, ${record.ended_at},
      ${record.reason}, ${record.recorded_at}, ${record.corrects_date})`);
}

/** Lists the feedback on a match by stage: at most six. */
export function listFeedback(db: Reader, { id, job_id }: MatchPlace): Promise<Feedback[]> {
  return db.list(sql<Feedback>`
    select ${feedbackResource.columns} from match_feedback
    where job_id = ${job_id} and match_id = ${id} order by stage_days, respondent`);
}

/** Adds the feedback of one side on a stage. @returns false, and adds nothing, if this side has given it already. */
export async function insertFeedback(tx: Transaction, feedback: Feedback): Promise<boolean> {
  const added = await tx.run(sql`
    insert into match_feedback ${feedbackResource.insert(feedback)}
    on conflict (job_id, match_id, stage_days, respondent) do nothing`);
  return added > 0;
}

/** Stores the next stage of a placement. */
export async function upsertNextStage(
  tx: Transaction,
  { id, job_id }: MatchPlace,
  next: Stage,
): Promise<void> {
  await tx.run(sql`
    insert into feedback_stages (job_id, match_id, stage_days, opens_at)
    values (${job_id}, ${id}, ${next.stage_days}, ${next.opens_at})
    on conflict (job_id, match_id) do update set stage_days = excluded.stage_days, opens_at = excluded.opens_at`);
}

/** Records that a placement has no further stage. */
export async function deleteNextStage(tx: Transaction, { id, job_id }: MatchPlace): Promise<void> {
  await tx.run(sql`delete from feedback_stages where job_id = ${job_id} and match_id = ${id}`);
}

/** A stage of a placement that has not been announced to both sides. */
export type WaitingStage = Stage & { readonly match_id: string; readonly job_id: string };

/** Lists placements whose next stage has opened, the longest open first. */
export function listOpenedStages(db: Reader, now: Date, limit: number): Promise<WaitingStage[]> {
  return db.list(sql<WaitingStage>`
    select job_id, match_id, stage_days, opens_at from feedback_stages where opens_at <= ${now}
    order by opens_at, job_id, match_id limit ${limit}`);
}

export function lockNextStage(tx: Transaction, { id, job_id }: MatchPlace): Promise<Stage | undefined> {
  return tx.find(sql<Stage>`
    select stage_days, opens_at from feedback_stages where job_id = ${job_id} and match_id = ${id} for update`);
}

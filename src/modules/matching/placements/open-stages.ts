import { findMatch } from '#modules/matching/matches';
import type { Transaction, Reader } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { stageOpened } from './events.ts';
import { findNextStage, listStages, findUnansweredStage } from './rules.ts';
import type { FeedbackStage, Respondent } from './resource.ts';
import {
  deleteNextStage,
  findLastOutcome,
  listOpenedStages,
  lockNextStage,
  upsertNextStage,
  type WaitingStage,
  listFeedback,
  type MatchPlace,
} from './store.ts';

const batch_placements = 200;

/** Announces to both sides of placements that a stage has opened. It runs every hour, so that a stage is late by as long as the service was down. */
export const openStages = task({
  name: 'placements.openStages',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '13 * * * *',
  run: async (context) => {
    const { database, now, signal } = context;
    // Each round removes what it lists, or moves it into the future.
    for (let opened: readonly WaitingStage[]; ;) {
      opened = await listOpenedStages(database, now(), batch_placements);
      for (const stage of opened) {
        signal.throwIfAborted();
        await database.transaction((tx) => openStage(context, tx, stage));
      }
      if (opened.length < batch_placements) return;
    }
  },
});

/**
 * Announces the latest stage that has opened, once, whichever process is first: the placement is locked, and moves on to its next stage in
 * the same transaction. Stages that were recorded late are not announced one by one.
 */
async function openStage(
  { queue, now }: Pick<TaskContext, 'queue' | 'now'>,
  tx: Transaction,
  { match_id: id, job_id }: WaitingStage,
): Promise<void> {
  const place = { id, job_id };
  const waiting = await lockNextStage(tx, place);
  if (!waiting || waiting.opens_at > now()) return;
  const outcome = await findLastOutcome(tx, place);
  const next = findNextStage(outcome, now());
  if (next) await upsertNextStage(tx, place, next);
  else await deleteNextStage(tx, place);
  const match = await findMatch(tx, id);
  const latest = listStages(outcome).findLast(({ opens_at }) => opens_at <= now());
  if (!match || !latest) return;
  const { org_id, member_id } = match;
  await queue.emit(tx, stageOpened, {
    match_id: id,
    job_id,
    org_id,
    member_id,
    stage_days: latest.stage_days,
  });
}

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

import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { task } from '#platform/queue/task.ts';
import { matchProposed } from '../events.ts';
import type { MatchStatus } from '../rules.ts';
import type { Match } from '../store.ts';
import { announceWaitingInterests } from './store.ts';
import { buildEventData } from '../announcing/build-event-data.ts';

type Data = { readonly org_id: string; readonly job_id: string; readonly decision_id: string };

/**
 * Emits the events of a decision that could be undone until now. An interest that was withdrawn meanwhile is not announced, and neither is one that the
 * member has answered.
 */
export const announceInterests = task<Data>({
  name: 'matches.announceInterests',
  retry_seconds: [5, 30, 120],
  group_by: ({ org_id }) => org_id,
  run: (context, { job_id, decision_id }) =>
    context.database.transaction(async (tx) => {
      for (const match of await announceWaitingInterests(tx, job_id, decision_id))
        await context.queue.emit(tx, matchProposed, buildEventData(context, match, false));
    }),
});

type WaitingDecision = {
  readonly status: MatchStatus;
  readonly decision_id: string;
  readonly undo_seconds: number;
};

/** Queues the announcement of a decision about one or more matches of a job. Only an interest has something to announce. */
export async function queueAnnouncement(
  { queue, now }: Pick<Services, 'queue' | 'now'>,
  tx: Transaction,
  { job_id, org_id }: Pick<Match, 'job_id' | 'org_id'>,
  { status, decision_id, undo_seconds }: WaitingDecision,
): Promise<void> {
  if (status !== 'org_interested') return;
  const start_after = new Date(now().getTime() + undo_seconds * 1000);
  await queue.send(tx, announceInterests, { job_id, org_id, decision_id }, { start_after });
}

import { nil_uuid } from '#lib/nil-uuid.ts';
import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { hasCompatibleJob } from '#modules/matching/engine';
import { listDeployedLists } from '../store-member-matches.ts';
import { computeMemberMatches } from './compute-member-matches.ts';
import { getJobIndex } from './job-index.ts';
import { listMemberVectors } from '../index/store-vectors.ts';

/**
 * Computes the matches of deployed members whose list is empty although there is a job that they may have.
 *
 * A member is computed when something about the member changes. Then others change: a job is added or altered, and its computation lists
 * only its best members; a computation of the job deletes the match that filled the list; an organisation is suspended; or the computation of the
 * member has failed. Nobody who only looks at an empty list starts a computation, so this task does.
 */
export const fillEmptyLists = task({
  name: 'matches.fillEmptyLists',
  retry_seconds: [60],
  every: '*/10 * * * *',
  merge_by: () => 'all',
  run: async (context) => {
    const { database, queue, signal } = context;
    for (let after: string | undefined = nil_uuid; after !== undefined;) {
      signal.throwIfAborted();
      const page = await listDeployedLists(database, after, page_members);
      const empty = page.filter(({ is_empty }) => is_empty).map(({ member_id }) => member_id);
      const due = await listMembersWithJobs(context, empty);
      await database.transaction(async (tx) => {
        for (const member_id of due) await queue.send(tx, computeMemberMatches, { member_id });
      });
      after = page.length === page_members ? page.at(-1)?.member_id : undefined;
    }
  },
});

const page_members = 2_000;
/** Lists those of the members for whom there is a compatible job, so that nobody is computed again and again in vain. */
async function listMembersWithJobs(
  context: TaskContext,
  member_ids: readonly string[],
): Promise<readonly string[]> {
  if (member_ids.length === 0) return [];
  const endLongTurn = createTurnEnder();
  return getJobIndex(context).runWithJobs(async ({ packed, suspended, listed }) => {
    const found: string[] = [];
    for (const vector of await listMemberVectors(context.database, listed.version, member_ids)) {
      await endLongTurn();
      if (hasCompatibleJob(packed, vector.terms, suspended)) found.push(vector.member_id);
    }
    return found;
  });
}

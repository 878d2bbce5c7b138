import { nil_uuid } from '#lib/nil-uuid.ts';
import { listActiveJobs } from '#modules/matching/jobs';
import type { Reader } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import { areCompatible, type JobTerms } from '#modules/matching/engine';
import { listDeployedLists } from '../store-member-matches.ts';
import { computeMemberMatches } from './compute-member-matches.ts';
import { findListedVersion, listMemberVectors, type MemberVector } from '../index/store-vectors.ts';

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
  run: async ({ database, queue, signal }) => {
    for (let after: string | undefined = nil_uuid; after !== undefined;) {
      signal.throwIfAborted();
      const page = await listDeployedLists(database, after, page_members);
      const empty = page.filter(({ is_empty }) => is_empty).map(({ member_id }) => member_id);
      const due = await listMembersWithJobs(database, empty);
      await database.transaction(async (tx) => {
        for (const member_id of due) await queue.send(tx, computeMemberMatches, { member_id });
      });
      after = page.length === page_members ? page.at(-1)?.member_id : undefined;
    }
  },
});

const page_members = 2_000;
const page_jobs = 500;

/** Lists those of the members for whom there is a compatible job, so that nobody is computed again and again in vain. */
async function listMembersWithJobs(db: Reader, member_ids: readonly string[]): Promise<readonly string[]> {
  if (member_ids.length === 0) return [];
  const { version } = await findListedVersion(db);
  let waiting: readonly MemberVector[] = await listMemberVectors(db, version, member_ids);
  const found = new Set<string>();
  for (let after: string | undefined = nil_uuid; after !== undefined && waiting.length > 0;) {
    const jobs = await listActiveJobs(db, after, page_jobs);
    // The organisation's values rule nobody out.
    const offers: readonly JobTerms[] = jobs.map((job) => ({ ...job, values: null }));
    for (const { member_id, terms } of waiting)
      if (offers.some((offer) => areCompatible(offer, terms))) found.add(member_id);
    waiting = waiting.filter(({ member_id }) => !found.has(member_id));
    after = jobs.length === page_jobs ? jobs.at(-1)?.id : undefined;
  }
  return [...found];
}

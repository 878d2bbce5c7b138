import type { LoggedInCaller } from '#lib/caller.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { listJobOutlines } from '#modules/jobs';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { buildMatchViews, type MatchView } from '../views.ts';
import { listMatchesOfJobs, type ShortlistFilter, type ShortlistPlace } from './store.ts';

/** A match as its reader sees it, with the title of its job. */
export type ShortlistedMatch = MatchView & { readonly job_title: string };

/** Which matches of an organisation are read: those of all its jobs, or of one of them. */
export type AllMatchesFilter = ShortlistFilter & {
  readonly org_id: string;
  readonly job_id?: string | undefined;
};

type ReadContext = Pick<Services, 'memory' | 'secrets'> & { readonly caller: Pick<LoggedInCaller, 'role'> };

/** So many jobs are read together, since most have few matches. A page is never longer than `matches_per_page`, however many a job has. */
const jobs_per_page = 4;
const matches_per_page = 1_000;

/**
 * Reads all matches of an organisation as the caller sees them in lists, page by page: by job, best tier first, within a tier in the order of
 * the lists. Its caller has checked that the caller may read them, and reads in one snapshot.
 */
export async function* readAllMatches(
  context: ReadContext,
  db: Reader,
  filter: AllMatchesFilter,
): AsyncGenerator<readonly ShortlistedMatch[], void> {
  let after = nil_uuid;
  for (;;) {
    const jobs = await listJobOutlines(db, filter, after, jobs_per_page);
    const titles = new Map(jobs.map(({ id, title }) => [id, title]));
    for await (const page of readJobPages(db, [...titles.keys()], filter)) {
      const views = await buildMatchViews(context, db, page);
      yield views.map((view) => ({ ...view, job_title: titles.get(view.job_id)! }));
    }
    if (jobs.length < jobs_per_page) return;
    after = jobs.at(-1)!.id;
  }
}

async function* readJobPages(db: Reader, job_ids: readonly string[], filter: ShortlistFilter) {
  let after: ShortlistPlace | undefined;
  for (;;) {
    const page = await listMatchesOfJobs(db, job_ids, filter, { after, limit: matches_per_page });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < matches_per_page) return;
    after = [last.job_id, last.match_quality, last.id];
  }
}

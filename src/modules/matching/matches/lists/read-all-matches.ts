import type { LoggedInCaller } from '#lib/caller.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { listJobOutlines } from '#modules/matching/jobs';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { listShownMembers, canSeeMembers, truncateToDate, type MatchView } from '../views.ts';
import { completeNote, type PrivateNote } from '../private-notes/rules.ts';
import { listNotesOfJobs } from '../private-notes/store.ts';
import { listMatchesOfJobs, type FiledMatch, type ShortlistFilter, type ShortlistPlace } from './store.ts';

/** A match as its reader sees it, with the title of its job, and what the organisation has noted about it, for those who may read that. */
export type ShortlistedMatch = Omit<MatchView, 'org_id'> & { readonly job_title: string } & PrivateNote;

/** Which matches of an organisation are read: those of all its jobs, or of one of them. */
export type AllMatchesFilter = ShortlistFilter & {
  readonly org_id: string;
  readonly job_id?: string | undefined;
};

type ReadContext = Pick<Services, 'memory' | 'secrets'> & { readonly caller: Pick<LoggedInCaller, 'role'> };

type PageSizes = { readonly jobs: number; readonly matches: number };

/**
 * So many jobs are read together, since most have few matches. A page of jobs with full shortlists is read by one statement; it is never longer
 * than `matches`, however many a job has.
 */
const page_sizes: PageSizes = { jobs: 4, matches: 5_000 };

/**
 * Reads all matches of an organisation as the caller sees them in lists, page by page: by job, best tier first, within a tier in the order of
 * the lists. Its caller has checked that the caller may read them, and reads in one snapshot.
 */
export async function* readAllMatches(
  context: ReadContext,
  db: Reader,
  filter: AllMatchesFilter,
  sizes: PageSizes = page_sizes,
): AsyncGenerator<readonly ShortlistedMatch[], void> {
  const options = { filter, limit: sizes.matches, withTimes: canSeeMembers(context.caller) };
  let after = nil_uuid;
  for (;;) {
    const jobs = await listJobOutlines(db, filter, after, sizes.jobs);
    const outlines = new Map(
      jobs.map((job) => [job.id, { ...job, computed_at: truncateToDate(job.computed_at) }]),
    );
    const job_ids = [...outlines.keys()];
    const notes = await readNotes(context, db, job_ids);
    for await (const page of readJobPages(db, job_ids, options)) {
      const member_ids = await listShownMembers(context, db, page);
      yield page.map((match, place) => ({
        ...showMatch(match, member_ids[place]!, outlines.get(match.job_id)!),
        ...completeNote(notes.get(match.id)),
      }));
    }
    if (jobs.length < sizes.jobs) return;
    after = jobs.at(-1)!.id;
  }
}

/** Reads what the organisation has noted about matches, if the caller may read it: not for auditors and operators. */
async function readNotes(
  { caller: { role } }: ReadContext,
  db: Reader,
  job_ids: readonly string[],
): Promise<ReadonlyMap<string, PrivateNote>> {
  if (role !== 'org_admin' && role !== 'org_viewer') return new Map();
  const notes = await listNotesOfJobs(db, job_ids);
  return new Map(notes.map(({ match_id, ...noted }) => [match_id, noted]));
}

function showMatch(
  { id, job_id, match_quality, match_status, provisional, computed_at }: FiledMatch,
  member_id: string,
  job: Awaited<ReturnType<typeof listJobOutlines>>[number],
): Omit<ShortlistedMatch, keyof PrivateNote> {
  return {
    id,
    job_id,
    job_title: job.title,
    member_id,
    match_quality,
    match_status,
    provisional,
    computed_at: computed_at ?? job.computed_at,
  };
}

type PageOptions = {
  readonly filter: ShortlistFilter;
  readonly limit: number;
  readonly withTimes: boolean;
};

async function* readJobPages(
  db: Reader,
  job_ids: readonly string[],
  { filter, limit, withTimes }: PageOptions,
): AsyncGenerator<readonly FiledMatch[], void> {
  let after: ShortlistPlace | undefined;
  for (;;) {
    const page = await listMatchesOfJobs(db, job_ids, filter, { after, limit, withTimes });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    after = [last.job_id, last.match_quality, last.id];
  }
}

import { nil_uuid } from '#lib/nil-uuid.ts';
import { listJobOutlines } from '#modules/jobs';
import type { Reader } from '#platform/database/database.ts';
import { listOutcomes, type MatchOutcome, type OutcomePlace } from './store-outcomes.ts';

type Period = { readonly from: Date; readonly until: Date };

const jobs_per_page = 8;
const matches_per_page = 2_000;

/** Reads how far all matches of an organisation have come that were made in a period, page by page. Its caller reads in one snapshot. */
export async function* readOutcomes(
  db: Reader,
  org_id: string,
  period: Period,
): AsyncGenerator<readonly MatchOutcome[], void> {
  let after = nil_uuid;
  for (;;) {
    const jobs = await listJobOutlines(db, { org_id }, after, jobs_per_page);
    yield* readJobOutcomes(
      db,
      jobs.map(({ id }) => id),
      period,
    );
    if (jobs.length < jobs_per_page) return;
    after = jobs.at(-1)!.id;
  }
}

async function* readJobOutcomes(db: Reader, job_ids: readonly string[], period: Period) {
  let after: OutcomePlace | undefined;
  for (;;) {
    const page = await listOutcomes(db, job_ids, period, { after, limit: matches_per_page });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < matches_per_page) return;
    after = [last.job_id, last.id];
  }
}

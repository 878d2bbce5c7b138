import type pg from 'pg';
import { waitFor } from '../programs.ts';
import { readColumn, type Findings } from './rows.ts';

/** As many of the newest active jobs are computed again. */
const jobs_max = 20;

/**
 * Computes the lists of jobs again from nothing, when nothing is broken any more, and compares them with those that were there.
 *
 * @param recompute Starts the computation of all jobs, as the operator does.
 */
export async function checkLists(
  client: pg.Client,
  recompute: () => Promise<unknown>,
): Promise<{ readonly matches: number; readonly findings: Findings }> {
  const jobs = await readColumn(
    client,
    `select id from jobs where status = 'active' and title like 'Job %' order by created_at desc limit ${jobs_max}`,
  );
  // A member who arrives enters a list with the lowest tier only when the job is computed the next time.
  const list = () =>
    readColumn(
      client,
      "select job_id || ' ' || member_id || ' ' || match_quality from matches where job_id = any($1::uuid[]) and match_quality <> 'developing'",
      [jobs],
    );
  const before = await list();
  await client.query('delete from matches where job_id = any($1::uuid[])', [jobs]);
  await client.query('update jobs set matches_computed_at = null where id = any($1::uuid[])', [jobs]);
  await recompute();
  const countWaiting = 'select id from jobs where id = any($1::uuid[]) and matches_computed_at is null';
  await waitFor(
    'the computation of jobs',
    120,
    async () => (await readColumn(client, countWaiting, [jobs])).length === 0,
  );
  const after = await list();
  return {
    matches: before.length,
    findings: {
      'matches that an undisturbed computation lacks': before.filter((each) => !after.includes(each)),
      'matches that only an undisturbed computation has': after.filter((each) => !before.includes(each)),
    },
  };
}

import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  createJob,
  fillMeans,
  deleteStoredMatches,
  fillSlots,
  insertMembers,
  listStoredMatches,
  runTask,
} from '#test/modules/matching.ts';
import { createNormalPopulation } from '#test/modules/random-population.ts';
import { computeAllMatches, recomputeAllMatches } from './compute-all-matches.ts';

test('every active job gets the same matches as when it is computed alone, and other jobs get none', async () => {
  const app = await startApp();
  const { token } = await app.registerOrgAdmin();
  const jobs: string[] = [];
  for (let job = 0; job < 66; job += 1)
    jobs.push(await createJob(app, token, { persistence: 1, sincerity: (job % 10) / 10 }));
  await insertMembers(app, createNormalPopulation(40, 31).members);
  await app.drainQueue();
  const closed = jobs[40]!;
  await app.sql.run(sql`update jobs set status = 'closed' where id = ${closed}`);
  const before = new Map<string, object>();
  for (const job_id of jobs) before.set(job_id, await readLabels(job_id));
  await deleteStoredMatches(app);
  expect(await recomputeAllMatches(app.platform)).toEqual({ queued: true });
  await app.drainQueue();
  for (const job_id of jobs)
    expect(await readLabels(job_id)).toEqual(job_id === closed ? {} : before.get(job_id));

  async function readLabels(job_id: string): Promise<object> {
    const matches = await listStoredMatches(app, job_id);
    return Object.fromEntries(matches.map((match) => [match.member_id, match.match_quality]));
  }
});

test('decided matches do not change, and the task stops when the process stops', async () => {
  const app = await startApp();
  const { token } = await app.registerOrgAdmin();
  const job_id = await createJob(app, token);
  await insertMembers(app, [{ mean: fillMeans(2), variance: fillSlots(0.15) }]);
  await app.drainQueue();
  await app.sql.run(sql`update matches set match_status = 'member_declined'`);
  await runTask(app, computeAllMatches, {});
  expect((await listStoredMatches(app, job_id)).map(({ match_status }) => match_status)).toEqual([
    'member_declined',
  ]);
  const abortedTask = runTask(app, computeAllMatches, {}, { signal: AbortSignal.abort() });
  await expect(abortedTask).rejects.toThrow('aborted');
});

test('the task succeeds without jobs', async () => {
  const app = await startApp();
  await runTask(app, computeAllMatches, {});
  expect(await app.sql.list(sql`select from matches`)).toEqual([]);
});

import { expect, inject, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { cloneDatabase, startApp } from '../harness.ts';
import { partEnvironment } from '../modules/index-parts.ts';
import { createJob, insertMembers, listStoredMatches, runTask } from '../modules/matching.ts';
import { createNormalPopulation } from '../modules/random-population.ts';
import { computeJobMatches } from '#modules/matching/matches';
import { findFreePorts, prepareDataDir, runTessera } from './run-tessera.ts';

const database = await cloneDatabase();
const app = await startApp(partEnvironment, database);
const organisation = await app.registerOrgAdmin();
await insertMembers(app, createNormalPopulation(500, 8).members);

async function startPart(part: string) {
  const password = database.password ? `:${encodeURIComponent(database.password)}` : '';
  const host = encodeURIComponent(database.host);
  return runTessera(['work'], {
    TESSERA_DATA_DIR: await prepareDataDir(),
    TESSERA_DATABASE_URL: `postgres://${inject('serviceUser')}${password}@${host}:${database.port}/${database.database}`,
    TESSERA_MASTER_KEY: partEnvironment.TESSERA_MASTER_KEY,
    TESSERA_INDEX_SHARD: part,
    ...(await findFreePorts()),
  });
}

const readError = async () =>
  (await app.sql.find(sql<{ error: string }>`select error from tasks where name = ${computeJobMatches.name}`))
    ?.error;

/** Waits until the parts have stored the matches of a job, and compares them with those of one process. */
async function expectExactMatches(job_id: string): Promise<void> {
  // Not after the pause, which grows.
  await app.sql.run(sql`
    update tasks set due_at = now() where name = ${computeJobMatches.name} and status = 'queued'`);
  await expect.poll(async () => (await listStoredMatches(app, job_id)).length).toBeGreaterThan(0);
  const list = async () =>
    (await listStoredMatches(app, job_id)).map(
      ({ member_id, match_quality }) => `${member_id} ${match_quality}`,
    );
  const found = await list();
  await app.sql.run(sql`delete from matches where job_id = ${job_id}`);
  await app.sql.run(sql`update jobs set matches_computed_at = null where id = ${job_id}`);
  await runTask(app, computeJobMatches, { job_id, org_id: organisation.org_id });
  expect(found.toSorted()).toEqual((await list()).toSorted());
}

test('a job waits while a part is missing or killed, and is then computed exactly', async () => {
  const one = await startPart('1/2');
  await one.ready;
  const early = await createJob(app, organisation.token);
  await expect.poll(readError).toMatch(/^the match index lacks part .*2\/2 \(no worker has reported/);
  expect(await listStoredMatches(app, early)).toEqual([]);

  const two = await startPart('2/2');
  await two.ready;
  const isReady = async () =>
    (
      await app.sql.list(
        sql`select id from match_index_nodes where readiness = 'ready' and address is not null`,
      )
    ).length;
  await expect.poll(isReady).toBe(2);
  await expectExactMatches(early);

  const twin = await startPart('2/2');
  expect([await twin.exited, twin.readErrors()]).toEqual([
    1,
    expect.stringMatching(
      /^tessera: TESSERA_INDEX_SHARD is 2\/2, but .+ holds this part of the match index already\n$/,
    ),
  ]);

  two.process.kill('SIGKILL');
  await two.exited;
  const late = await createJob(app, organisation.token, { discretion: 1 });
  await expect
    .poll(readError)
    .toMatch(/^part 2\/2 of the match index at .+ cannot be asked: no answer \(unreachable\)$/);
  expect(await listStoredMatches(app, late)).toEqual([]);
  const again = await startPart('2/2');
  await again.ready;
  await expect.poll(isReady).toBe(2);
  await expectExactMatches(late);
});

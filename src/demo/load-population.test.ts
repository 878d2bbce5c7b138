import { beforeEach, expect, test } from 'vitest';
import { createUser } from '#modules/access/accounts';
import { importTemplates } from '#modules/matching/jobs';
import { sql } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createJob, fillMeans, listStoredMatches, tierMeans } from '#test/modules/matching.ts';
import { sampleDir } from './load-jobs.ts';
import { loadPopulation } from './load-population.ts';
import { unloadPopulation } from './unload-population.ts';

const quiet = { write: () => true };

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});

const load = (input = {}, platform: Platform = app.platform) =>
  loadPopulation(platform, { members: '300', jobs: '3', seed: '5', ...input }, quiet);

/** Counts the rows of every table, except those of the queue and the records of what happened. */
async function countRows(): Promise<Readonly<Record<string, number>>> {
  const tables = await app.sql.list(sql<{ name: string; rows: number }>`
    select relname as name,
      (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text::integer as rows
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('events', 'tasks', 'matching_changes', 'job_changes', 'match_counts')`);
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
}

test('loads members and jobs without imported templates, and stores no template', async () => {
  const { members, jobs, org_id } = await load();
  expect([members, jobs]).toEqual([300, 3]);
  const { organisations, members: rows, job_templates } = await countRows();
  expect([organisations, rows, job_templates]).toEqual([1, 300, 0]);
  await app.drainQueue();
  const [job] = await app.sql.list(sql<{ id: string }>`select id from jobs where org_id = ${org_id}`);
  expect((await listStoredMatches(app, job!.id)).length).toBeGreaterThan(0);
});

test('the planner knows how many rows a load has added', async () => {
  await load();
  const tables = await app.sql.list(sql`
    select relname as name, reltuples::integer as rows from pg_class
    where relname in ('members', 'consent_records', 'trait_vectors', 'jobs') and relnamespace = 'public'::regnamespace order by relname`);
  expect(tables).toEqual([
    { name: 'consent_records', rows: 600 },
    { name: 'jobs', rows: 3 },
    { name: 'members', rows: 300 },
    { name: 'trait_vectors', rows: 300 },
  ]);
});

test('jobs are drawn from the imported templates where there are some', async () => {
  await importTemplates(app.platform, { dir: sampleDir });
  await app.sql.run(
    sql`delete from job_templates where onet_code > (select min(onet_code) from job_templates)`,
  );
  await load({ members: '0' });
  const titles = await app.sql.list(sql`
    select distinct jobs.title = job_templates.title as imported from jobs cross join job_templates`);
  expect(titles).toEqual([{ imported: true }]);
});

test('a load that fails at its last step leaves nothing', async () => {
  const before = await countRows();
  const queue = { ...app.platform.queue, emit: () => Promise.reject(new Error('the disk is full')) };
  await expect(load({}, { ...app.platform, queue })).rejects.toThrow('the disk is full');
  expect(await countRows()).toEqual(before);
});

test('a load is refused in production and for invalid numbers, before it writes', async () => {
  const before = await countRows();
  const production = { ...app.platform, config: { ...app.platform.config, production: true } };
  await expect(load({}, production)).rejects.toThrow('production');
  for (const input of [{ members: '1.5' }, { jobs: '-1' }, { seed: 'x' }])
    await expect(load(input)).rejects.toThrow('must be a whole number');
  expect(await countRows()).toEqual(before);
});

test('an unload removes what several loads added, and nothing else', async () => {
  const org = await app.registerOrgAdmin();
  const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.exceptional) });
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const before = await countRows();
  const matches = await listStoredMatches(app, job_id);
  await load();
  await load({ seed: '6' });
  await app.drainQueue();
  expect(await countRows()).not.toEqual(before);
  const removed = await unloadPopulation(app.platform, {}, quiet);
  expect(removed).toEqual({ members: 600, jobs: 6, organisations: 2, organisations_kept: 0 });
  // The queue still has the tasks of the removed jobs and members. They find nothing to do.
  await app.drainQueue();
  const { audit_log: _before, ...rowsBefore } = before;
  const { audit_log: _after, ...rowsAfter } = await countRows();
  expect(rowsAfter).toEqual(rowsBefore);
  expect(await listStoredMatches(app, job_id)).toEqual(matches);
  const { body } = await app.request('GET', '/members/me/matches', member);
  expect(body.pagination.total_count).toBe(1);
  const list = await app.request('GET', '/orgs/me/matches', org);
  expect(list.body.pagination.total_count).toBe(1);
  expect(await unloadPopulation(app.platform, {}, quiet)).toEqual({
    members: 0,
    jobs: 0,
    organisations: 0,
    organisations_kept: 0,
  });
});

test('an organisation that was given a user stays, without its jobs', async () => {
  const { org_id } = await load();
  const account = { email: 'viewer@example.org', password: 'Correct-Horse-7-Battery' };
  await createUser(app.platform, { ...account, role: 'org_viewer', org_id: org_id!, name: undefined });
  const removed = await unloadPopulation(app.platform, {}, quiet);
  expect(removed).toMatchObject({ members: 300, jobs: 3, organisations: 0, organisations_kept: 1 });
  const { organisations, jobs, matches, users } = await countRows();
  expect([organisations, jobs, matches, users]).toEqual([1, 0, 0, 1]);
});

test('an interrupted unload is completed by the next one', async () => {
  await load();
  let erased = 0;
  const personalData = {
    first: {
      ...app.platform.personalData['rights']!,
      erasePersonalData: async () => {
        if (++erased > 250) throw new Error('killed');
      },
    },
    ...app.platform.personalData,
  };
  await expect(unloadPopulation({ ...app.platform, personalData }, {}, quiet)).rejects.toThrow('killed');
  expect((await countRows())['members']).toBe(100);
  expect((await unloadPopulation(app.platform, {}, quiet)).members).toBe(100);
  expect((await countRows())['members']).toBe(0);
});

import { expect, test } from 'vitest';
import { countBlocks } from '#test/count-blocks.ts';
import { startApp } from '#test/harness.ts';
import { createJob, insertMembers, fillMeans, fillSlots, tierMeans } from '#test/modules/matching.ts';
import { sql } from '#platform/database/database.ts';
import { matchQualities } from '#modules/matching/engine';
import { matchStatuses } from '../rules.ts';
import { addCounts, countByStatus, listMatches, type MatchFilter } from './store.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();
const job_id = await createJob(app, org.token);
await insertMembers(
  app,
  Array.from({ length: 200 }, () => ({ mean: fillMeans(tierMeans.none), variance: fillSlots(0.15) })),
);

const insertJobs = (count: number) =>
  app.sql.run(sql`
    insert into jobs (id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities, created_at)
    select gen_random_uuid(), org_id, title, outcome_description, 'draft', clearance_required, remote_policy,
      trait_priorities, created_at
    from jobs cross join generate_series(1, ${count}::int) as number where id = ${job_id}`);

/** Gives every job a match with every member. Nine in ten are pending, none is withdrawn, and the other statuses are equally common. */
const insertMatches = async () => {
  const members = await app.sql.list(sql<{ id: string }>`select id from members`);
  for (const job of await app.sql.list(sql<{ id: string; org_id: string }>`select id, org_id from jobs`))
    await app.sql.run(sql`
      insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, match_status, computed_at, created_at)
      select gen_random_uuid(), member_id, ${job.id}, ${job.org_id}, (${matchQualities}::match_quality[])[1 + floor(random() * 4)::int], 'high',
        case when random() < 0.9 then 'pending_review' else (${matchStatuses}::match_status[])[1 + floor(random() * 8)::int] end, now(), now()
      from unnest(${members.map(({ id }) => id)}::uuid[]) as member_id on conflict do nothing`);
};

const buildFilters = (): readonly MatchFilter[] =>
  [{ org_id: org.org_id }, { job_id }, { org_id: org.org_id, job_id }].flatMap((owner) =>
    [undefined, ...matchQualities].flatMap((quality) =>
      [undefined, ...matchStatuses].map((status) => ({ ...owner, quality, status })),
    ),
  );

const expectExactCounts = async () => {
  for (const filter of buildFilters()) {
    const { org_id = null, job_id: ofJob = null, quality = null, status = null } = filter;
    const { count } = await app.sql.one(sql<{ count: number }>`
      select count(*) from matches where (${org_id}::uuid is null or org_id = ${org_id}) and (${ofJob}::uuid is null or job_id = ${ofJob})
        and (${quality}::match_quality is null or match_quality = ${quality})
        and (${status}::match_status is null or match_status = ${status})`);
    expect([filter, addCounts(await countByStatus(app.sql, filter))]).toEqual([filter, count]);
  }
};

test('stored numbers of matches are exact after insertions, updates of every kind and deletions', async () => {
  await insertJobs(4);
  await insertMatches();
  await expectExactCounts();
  await app.sql.run(sql`
    insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, match_status, computed_at, created_at)
    select gen_random_uuid(), member_id, job_id, org_id, 'exceptional', 'low', 'pending_review', now(), now() from matches
    on conflict (job_id, member_id) do update set match_quality = excluded.match_quality where matches.match_status = 'pending_review'`);
  await app.sql.run(sql`update matches set match_status = 'withdrawn' where match_status = 'org_interested'`);
  await app.sql.run(sql`delete from matches where match_status = 'org_passed'`);
  await app.sql.run(sql`delete from matches where id in (select id from matches limit 100)`);
  await expectExactCounts();
});

test('transactions that change the matches of one organisation do not wait for each other, and count exactly', async () => {
  const pending = await app.sql.list(sql<{ id: string; job_id: string }>`
    select id, job_id from matches where match_status = 'pending_review' order by id limit 120`);
  const moveMatches = (count: number): Promise<void> =>
    app.sql.transaction(async (tx) => {
      await tx.run(sql`set local lock_timeout = '1s'`);
      for (const match of pending.splice(0, 10))
        await tx.run(sql`
          update matches set match_status = 'org_interested' where job_id = ${match.job_id} and id = ${match.id}`);
      // The next transaction begins and commits while this one holds its rows.
      if (count > 1) await moveMatches(count - 1);
    });
  await Promise.all([moveMatches(4), moveMatches(4), moveMatches(1), moveMatches(1)]);
  await expect(
    app.sql.transaction(async (tx) => {
      await tx.run(sql`delete from matches`);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await expectExactCounts();
});

test('two pages and their count read few blocks of 20,000 matches, whatever the filter', async () => {
  await insertJobs(95);
  await insertMatches();
  await app.sql.run(sql`analyze matches`);
  await app.sql.run(sql`analyze match_counts`);
  const { count } = await app.sql.one(sql<{ count: number }>`select count(*) from matches`);
  expect(count).toBeGreaterThan(19_000);
  for (const filter of buildFilters()) {
    const statuses = filter.status ? [filter.status] : matchStatuses;
    const after = [filter.quality ?? 'moderate', '7fffffff-ffff-4fff-8fff-ffffffffffff'] as const;
    const blocks = await countBlocks(app, async (db) => {
      await listMatches(db, filter, { statuses, after: undefined, limit: 21 });
      await listMatches(db, filter, { statuses, after, limit: 21 });
      await countByStatus(db, filter);
    });
    // Two pages of 21 rows from each of nine statuses, and their index blocks. Counting or sorting would read thousands of blocks.
    expect([filter, blocks]).toEqual([filter, expect.toSatisfy((read: number) => read < 700)]);
  }
});

import type pg from 'pg';
import type { Platform } from '#platform/platform.ts';
import { computeAllMatches } from '../../src/modules/matching/matches/computing/compute-all-matches.ts';
import { computeJobMatches } from '../../src/modules/matching/matches/computing/compute-job-matches.ts';
import { computeMemberMatches } from '../../src/modules/matching/matches/computing/compute-member-matches.ts';
import { listMatches } from '../../src/modules/matching/matches/lists/store.ts';
import { listMemberMatches } from '../../src/modules/matching/matches/store-member-matches.ts';
import { countPeople } from '../../src/modules/operations/exports/bias/counting/store-people.ts';
import type { Cost, Meter } from '../lib/cost-meter.ts';
import { addMembers } from '../lib/members.ts';
import { addJobs, changePriorities } from './sizes.ts';

/** What is measured, and the service with its database. */
export type Installation = {
  readonly platform: Platform;
  readonly client: pg.Client;
  readonly measure: Meter;
  readonly org_id: string;
};

/** Computes the lists of all jobs. */
export async function computeAllLists({ platform }: Installation): Promise<void> {
  await computeAllMatches.run(createContext(platform), {});
}

/** Measures what changes lists: new jobs and members, priorities, and the policy. */
export async function measureChanges(installation: Installation): Promise<readonly Cost[]> {
  const { platform, client, measure, org_id } = installation;
  const context = createContext(platform);
  const computeJobs = async (ids: readonly string[]) => {
    for (const job_id of ids) await computeJobMatches.run(context, { job_id, org_id });
  };
  const ids = await addJobs(client, org_id, 4);
  const costs = [await measure('a new job', ids.length, () => computeJobs(ids))];
  // Its explanations would be queued again and again.
  await client.query(
    `insert into match_explanations (job_id, match_id, basis, explanation, generated_at)
     select job_id, id, '', '{}', now() from matches where job_id = any($1::uuid[])`,
    [ids],
  );
  costs.push(
    await measure('its recomputation without a change', ids.length, () => computeJobs(ids)),
    await measure('other priorities of a job', ids.length, async () => {
      await changePriorities(client, ids);
      await computeJobs(ids);
    }),
  );
  const arrived = await addAndList(client, 100);
  costs.push(
    await measure('a member of 100 who arrive together', arrived.length, () =>
      computeMemberMatches.run(context, arrived[0]!, arrived),
    ),
  );
  await usePolicy(client);
  costs.push(await measure('a new policy over everything', 1, () => computeAllLists(installation)));
  return costs;
}

const pages = 20;

/** Measures what is read: pages in the middle of lists, and what the bias report counts. */
export async function measureReading({
  platform,
  client,
  measure,
  org_id,
}: Installation): Promise<readonly Cost[]> {
  const { database } = platform;
  const middle = await readMiddle(client, org_id);
  const page = { statuses: ['pending_review'], after: [middle.match_quality, middle.id], limit: 50 } as const;
  const repeat = async (read: () => Promise<unknown>) => {
    for (let number = 0; number < pages; number += 1) await read();
  };
  await listMatches(database, { org_id }, page);
  const year = new Date().getUTCFullYear();
  const period = { from: new Date(Date.UTC(year, 0)), until: new Date(Date.UTC(year + 1, 0)) };
  return [
    await measure('a page in the middle of the list of an organisation', pages, () =>
      repeat(() => listMatches(database, { org_id }, page)),
    ),
    await measure('a page of the list of a job', pages, () =>
      repeat(() => listMatches(database, { job_id: middle.job_id }, page)),
    ),
    await measure('the list of a member', pages, () =>
      repeat(() =>
        listMemberMatches(
          database,
          { member_id: middle.member_id, status: undefined, labels: [] },
          undefined,
          50,
        ),
      ),
    ),
    await measure('the people of a bias report', 1, () =>
      database.transaction((tx) => countPeople(tx, { org_id, ...period }, new Date())),
    ),
  ];
}

async function readMiddle(client: pg.Client, org_id: string) {
  const { rows } = await client.query<{
    id: string;
    job_id: string;
    member_id: string;
    match_quality: 'exceptional' | 'strong' | 'moderate' | 'developing';
  }>(
    `select id, job_id, member_id, match_quality from matches where org_id = $1 and match_status = 'pending_review'
     order by match_quality, id offset (select count(*) / 2 from matches) limit 1`,
    [org_id],
  );
  return rows[0]!;
}

/** Measures the vacuum of both tables of matches, in processor time of its process. */
export function measureVacuum({ client, measure }: Installation): Promise<Cost> {
  return measure('the vacuum of both tables after that', 1, async () => {
    await client.query('vacuum matches');
    await client.query('vacuum member_matches');
  });
}

/** Reads the size of both tables of matches with their indexes, and of the counts. */
export async function readBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class where relname in ('matches', 'member_matches', 'match_counts')`);
  return Number(rows[0]!.bytes);
}

/** Puts a policy into use that multiplies the priority of one trait by a little more than the one before. */
async function usePolicy(client: pg.Client): Promise<void> {
  await client.query(`
    insert into fit_policies (version, parent, created_at, multipliers, trained_on)
    select max(version) + 1, max(version), now(),
      jsonb_build_object('all', (select jsonb_agg(1 + 0.02 * max(version) * (slot % 3)) from generate_series(1, 20) as slot)), '{}'
    from fit_policies`);
  await client.query(`
    insert into fit_policy_uses (number, version, action, used_at)
    select max(number) + 1, (select max(version) from fit_policies), 'promote', now() from fit_policy_uses`);
}

async function addAndList(
  client: pg.Client,
  count: number,
): Promise<readonly { readonly member_id: string }[]> {
  await client.query('create temp table known as select id from members');
  await addMembers(client, count);
  const { rows } = await client.query<{ member_id: string }>(
    'select id as member_id from members where not exists (select from known where known.id = members.id)',
  );
  await client.query('drop table known');
  return rows;
}

function createContext(platform: Platform) {
  return {
    ...platform,
    now: () => new Date(),
    signal: new AbortController().signal,
    reportProgress: async () => undefined,
  };
}

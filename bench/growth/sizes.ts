import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { child_id_bytes, formatParentId } from '#lib/child-id.ts';
import { addMembers } from '../lib/members.ts';

/** How many members and active jobs an installation has. */
export type Size = { readonly members: number; readonly jobs: number };

/** The priorities of one to three traits. A member fits some of the jobs. */
const drawPriorities = `jsonb_build_object('persistence', 0.1 + 0.9 * random(), 'sincerity', 0.1 + 0.9 * random(),
  'analytical_depth', 0.1 + 0.9 * random())`;

/** Adds members, half of whom have stated their gender, and active jobs of an organisation, up to a size. */
export async function growTo(client: pg.Client, org_id: string, { members, jobs }: Size): Promise<void> {
  await addMembers(client, members - (await countRows(client, 'members')));
  await client.query(`
    insert into self_identifications (member_id, genders, ethnicities, age_band, disability, updated_at)
    select id, array[(array['woman', 'man'])[1 + floor(random() * 2)]], '{}', null, null, now() from members
    where display_name = 'Somebody' and right(id::text, 1) < '8' on conflict do nothing`);
  await client.query(`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), member_id, 'demographic_self_identification', true, '1.0', now() from self_identifications
    where not exists (select from consent_records where consent_records.member_id = self_identifications.member_id)`);
  await addJobs(client, org_id, jobs - (await countRows(client, 'jobs')));
  await client.query('analyze self_identifications, consent_records, jobs, job_versions');
}

/** Adds active jobs of the organisation. @returns their ids. */
export async function addJobs(client: pg.Client, org_id: string, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => formatParentId(randomBytes(child_id_bytes)));
  await client.query(
    `insert into jobs (id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities, created_at)
     select id, $1, 'Nurse', 'Patients who are cared for.', 'active', 'none', 'hybrid', ${drawPriorities}, now() from unnest($2::uuid[]) as id`,
    [org_id, ids],
  );
  await client.query(
    `insert into job_titles (job_id, org_id, title) select id, org_id, title from jobs on conflict do nothing`,
  );
  await storeVersions(client);
  return ids;
}

/** Changes the priorities of jobs, so that other members fit them. */
export async function changePriorities(client: pg.Client, ids: readonly string[]): Promise<void> {
  await client.query(
    `update jobs set version = version + 1, trait_priorities = ${drawPriorities} where id = any($1::uuid[])`,
    [ids],
  );
  await storeVersions(client);
}

async function storeVersions(client: pg.Client): Promise<void> {
  await client.query(`
    insert into job_versions (job_id, version, org_id, trait_priorities, created_at)
    select id, version, org_id, trait_priorities, created_at from jobs on conflict do nothing`);
}

export async function countRows(client: pg.Client, table: 'members' | 'jobs' | 'matches'): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`);
  return Number(rows[0]!.count);
}

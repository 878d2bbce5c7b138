import type pg from 'pg';
import type { Platform } from '#platform/platform.ts';
import { loadPopulation } from '../../src/demo/load-population.ts';
import { addMembers } from '../lib/members.ts';

/** An organisation with all jobs, and a large population that has stated who it is. */
export type BenchPopulation = { readonly org_id: string };

const silent = { write: () => true };

/** Adds members who can be matched, and active jobs whose matches are still to be computed. */
export async function addPopulation(
  platform: Platform,
  client: pg.Client,
  { members, jobs }: { readonly members: number; readonly jobs: number },
): Promise<BenchPopulation> {
  await addMembers(client, members);
  await client.query(`
    insert into self_identifications (member_id, genders, ethnicities, age_band, disability, updated_at)
    select id, array[(array['woman','man','non_binary'])[1 + floor(random() * 3)]], array[(array['asian','black','white'])[1 + floor(random() * 3)]],
      null, null, now() from members where display_name = 'Somebody' and random() < 0.5`);
  await client.query(`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), member_id, 'demographic_self_identification', true, '1.0', now() from self_identifications`);
  await client.query('analyze self_identifications, consent_records');
  const { org_id } = await loadPopulation(platform, { members: '0', jobs: String(jobs), seed: '1' }, silent);
  return { org_id: org_id! };
}

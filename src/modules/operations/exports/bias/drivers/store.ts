import { sql, type Reader } from '#platform/database/database.ts';
import type { PeopleSubject } from '../counting/store-people.ts';
import type { StatedGroups } from '../rules.ts';

/** How much the jobs of an organisation ask for a trait, on average over the jobs. */
export type MeanPriority = { readonly trait: string; readonly priority: number };

/** Averages the priorities of the jobs of an organisation; a trait that a job does not name has none in it. */
export function listMeanPriorities(db: Reader, org_id: string): Promise<MeanPriority[]> {
  return db.list(sql<MeanPriority>`
    with own as (
      select trait_priorities from job_priorities
      where job_id in (select job_outlines.id from job_outlines where org_id = ${org_id}))
    select key as trait, sum(value::double precision) / (select count(*) from own) as priority
    from own cross join lateral jsonb_each_text(trait_priorities) group by key`);
}

/** Averages each trait over at most `limit` people of a group, in the order of the traits. Null is any answer. */
export async function listMeanTraits(
  db: Reader,
  { org_id, from, until }: PeopleSubject,
  { gender, age_band, ethnicity, disability }: StatedGroups,
  limit: number,
): Promise<readonly number[]> {
  const rows = await db.list(sql<{ mean: number }>`
    with people as (
      select distinct match_progress.member_id
      from match_progress
        join stated_identities on stated_identities.member_id = match_progress.member_id
        join granted_consents
          on granted_consents.member_id = stated_identities.member_id and granted_consents.consent_type = 'demographic_self_identification'
      where org_id = ${org_id} and created_at >= ${from} and created_at < ${until}
        and (${gender}::text is null or gender = ${gender})
        and (${age_band}::text is null or age_band = ${age_band})
        and (${ethnicity}::text is null or ethnicity = ${ethnicity})
        and (${disability}::text is null or disability = ${disability})
      order by member_id limit ${limit})
    select avg(value) as mean
    from people
      cross join lateral (
        select mean from latent_vectors where latent_vectors.member_id = people.member_id order by version desc limit 1) as latest
      cross join lateral unnest(latest.mean) with ordinality as trait (value, slot)
    group by slot order by slot`);
  return rows.map(({ mean }) => mean);
}

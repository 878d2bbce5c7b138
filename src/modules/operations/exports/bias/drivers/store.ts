import { sql, type Reader } from '#platform/database/database.ts';
import type { PeopleSubject } from '../counting/store-people.ts';
import type { StatedGroups } from '../rules.ts';

/** How much the jobs of an organisation ask for a trait, on average over the jobs. */
export type MeanPriority = { readonly trait: string; readonly priority: number };

/** Averages the priorities of the jobs of an organisation; a trait that a job does not name has none in it. */
export function listMeanPriorities(db: Reader, org_id: string): Promise<MeanPriority[]> {
  return db.list(sql<MeanPriority>`
    with own as (
      select trait_priorities from job_priorities join job_outlines on job_outlines.id = job_priorities.job_id
      where org_id = ${org_id})
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
    with matched as materialized (
      select distinct member_id from match_progress
      where org_id = ${org_id} and created_at >= ${from} and created_at < ${until}),
    people as materialized (
      select matched.member_id, latest.mean
      from matched
        join stated_identities on stated_identities.member_id = matched.member_id
        join granted_consents
          on granted_consents.member_id = stated_identities.member_id and granted_consents.consent_type = 'demographic_self_identification'
        cross join lateral (
          select mean from latent_vectors where latent_vectors.member_id = stated_identities.member_id order by version desc limit 1) as latest
      where (${gender}::text is null or gender = ${gender})
        and (${age_band}::text is null or age_band = ${age_band})
        and (${ethnicity}::text is null or ethnicity = ${ethnicity})
        and (${disability}::text is null or disability = ${disability})
      order by matched.member_id limit ${limit})
    select avg(value) as mean
    from people cross join lateral unnest(people.mean) with ordinality as trait (value, slot)
    group by slot order by slot`);
  return rows.map(({ mean }) => mean);
}

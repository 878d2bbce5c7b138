import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { CountedPeople } from './people.ts';

/** The people of an organisation whose matches were made in a period. */
export type PeopleSubject = { readonly org_id: string; readonly from: Date; readonly until: Date };

/** People who are in no report of the organisation yet, and how many of them the organisation has chosen. */
export type WaitingPeople = { readonly people: number; readonly chosen: number };

/** Counts the people who are in no report of the organisation yet. */
export function countWaiting(db: Reader, { org_id, from, until }: PeopleSubject): Promise<WaitingPeople> {
  return db.one(sql<WaitingPeople>`
    with matched as materialized (
      select member_id, max(furthest) as furthest from match_progress
      where org_id = ${org_id} and created_at >= ${from} and created_at < ${until} group by member_id)
    select count(*)::integer as people, count(*) filter (where furthest > 0)::integer as chosen from matched
    where not exists (
      select mark from bias_counted
      where bias_counted.org_id = ${org_id} and mark = substring(sha256(uuid_send(matched.member_id)) for 8))`);
}

const lasting_days = 180;

/** The mean rating from which a placement counts as rated well. */
const good_rating = 4;

/**
 * Counts the people of an organisation who are in no report yet, and records that they are now, in one statement and so of one moment. A person with several matches counts once, with the
 * furthest and the best of them; for each outcome, with the best-rated match about which it is known. The number of rows is bounded by groups, stages and outcomes. What is recorded of a
 * person is eight bytes of a hash of the random id. Matches are joined by their job and people by their id, each on the node that has them; those who have stated nothing are the rest.
 */
export function countPeople(
  tx: Transaction,
  { org_id, from, until }: PeopleSubject,
  now: Date,
): Promise<CountedPeople[]> {
  const own_jobs = sql`select job_outlines.id from job_outlines where org_id = ${org_id}`;
  return tx.list(sql<CountedPeople>`
    with matched as materialized (
      select progress.member_id, max(furthest) as furthest, max(tier) as tier, substring(sha256(uuid_send(progress.member_id)) for 8) as mark,
        min(1 + (outcome = 'not_placed')::integer + 2 * (tier < 2)::integer) as placed,
        min(
          case
            when outcome = 'left' and ended_at < placed_at + make_interval(days => ${lasting_days}) then 2
            when placed_at + make_interval(days => ${lasting_days}) <= ${now} then 1
          end + 2 * (tier < 2)::integer) as stayed,
        min(case when outcome is not null then 1 + (rating < ${good_rating})::integer + 2 * (tier < 2)::integer end) as rated_well
      from match_progress as progress
        left join (
          select job_id, match_id, outcome, placed_at, ended_at from recorded_outcomes as recorded
          where job_id in (${own_jobs}) and not exists (
            select later.job_id from recorded_outcomes as later
            where later.job_id = recorded.job_id and later.match_id = recorded.match_id and later.number > recorded.number)
        ) as last_outcomes on last_outcomes.job_id = progress.job_id and last_outcomes.match_id = progress.match_id
        left join (
          select job_id, match_id, avg(overall_rating) as rating from given_ratings
          where job_id in (${own_jobs}) group by job_id, match_id
        ) as ratings on ratings.job_id = progress.job_id and ratings.match_id = progress.match_id
      where org_id = ${org_id} and created_at >= ${from} and created_at < ${until}
      group by progress.member_id),
    people as materialized (
      select member_id, furthest, tier, mark, coalesce(placed, 0) as placed, coalesce(stayed, 0) as stayed, coalesce(rated_well, 0) as rated_well
      from matched
      where not exists (
        select bias_counted.mark from bias_counted where bias_counted.org_id = ${org_id} and bias_counted.mark = matched.mark)),
    recorded as (
      insert into bias_counted (org_id, mark) select ${org_id}, mark from people on conflict do nothing),
    stated as materialized (
      select gender, age_band, ethnicity, disability, furthest, tier, placed, stayed, rated_well, count(*) as people
      from people join stated_identities on stated_identities.member_id = people.member_id
        join granted_consents
          on granted_consents.member_id = stated_identities.member_id and granted_consents.consent_type = 'demographic_self_identification'
      group by gender, age_band, ethnicity, disability, furthest, tier, placed, stayed, rated_well)
    select gender, age_band, ethnicity, disability, furthest, tier, placed, stayed, rated_well, people from stated
    union all
    select null, null, null, null, furthest, tier, placed, stayed, rated_well, sum(people)::bigint
    from (
      select furthest, tier, placed, stayed, rated_well, 1 as people from people
      union all
      select furthest, tier, placed, stayed, rated_well, -people from stated) as others
    group by furthest, tier, placed, stayed, rated_well having sum(people) > 0`);
}

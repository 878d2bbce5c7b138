-- Matches carry the key of their job, and a member's matches have a table of their own (docs/decisions/0038-shard-keys.md).

-- The id of a match begins with the 60 random bits of its job's id, so that the job's id can be computed from it. A job's id has no other
-- random bits (src/lib/match-id.ts). Jobs and matches that exist get new ids.
alter table match_explanations drop constraint match_explanations_match_id_fkey;
alter table match_explanation_requests drop constraint match_explanation_requests_match_id_fkey;
alter table matches drop constraint matches_job_id_fkey, drop constraint matches_org_id_fkey;
drop trigger matches_counted_insert on matches;
drop trigger matches_counted_update on matches;
drop trigger matches_counted_delete on matches;
drop index matches_by_member;
drop index matches_by_job_status;
drop index matches_by_org_status;

update jobs set id = (overlay(left(id::text, 18) placing '8' from 15) || '-8000-000000000000')::uuid;
update match_explanations set match_id = (overlay(left(job_id::text, 18) placing '8' from 15) || right(match_id::text, 18))::uuid
  from matches where matches.id = match_id;
update match_explanation_requests set match_id = (overlay(left(job_id::text, 18) placing '8' from 15) || right(match_id::text, 18))::uuid
  from matches where matches.id = match_id;
update matches set
  job_id = (overlay(left(job_id::text, 18) placing '8' from 15) || '-8000-000000000000')::uuid,
  id = (overlay(left(job_id::text, 18) placing '8' from 15) || right(id::text, 18))::uuid;

-- Four bytes in every row and index instead of up to sixteen.
create type match_status as enum (
  'pending_review', 'org_interested', 'org_passed', 'member_accepted', 'member_declined', 'placed', 'closed', 'expired', 'withdrawn'
);
alter table matches drop constraint matches_match_status_check;
alter table matches
  alter column match_status type match_status using match_status::match_status,
  alter column withdrawn_from type match_status using withdrawn_from::match_status,
  alter column expired_from type match_status using expired_from::match_status;

-- Lookups, and the list of a job: it has at most 1,000 matches that nobody has acted on, which are read and sorted faster than nine
-- statuses are merged. An organisation's list has no such limit.
alter table matches drop constraint matches_pkey, add primary key (job_id, id);
alter table matches add foreign key (job_id) references jobs (id);
create index matches_by_org_status on matches (org_id, match_status, match_quality, id);

alter table match_explanations add column job_id uuid;
update match_explanations set job_id = (left(match_id::text, 18) || '-8000-000000000000')::uuid;
alter table match_explanations
  alter column job_id set not null,
  drop constraint match_explanations_pkey,
  add primary key (job_id, match_id),
  add foreign key (job_id, match_id) references matches (job_id, id) on delete cascade;

alter table match_explanation_requests add column job_id uuid;
update match_explanation_requests set job_id = (left(match_id::text, 18) || '-8000-000000000000')::uuid;
alter table match_explanation_requests
  alter column job_id set not null,
  drop constraint match_explanation_requests_pkey,
  add primary key (job_id, match_id, user_id),
  add foreign key (job_id, match_id) references matches (job_id, id) on delete cascade;

-- What a member's lists show of each match. Every statement that changes a match changes its row here in the same transaction.
create table member_matches (
  -- A computation that adds a match locks its member by this reference: the member cannot leave level 4 before the computation has
  -- committed (src/modules/matching/matches/computing/compute-job-matches.ts).
  member_id uuid not null references members (id),
  created_at timestamptz not null,
  match_id uuid not null,
  job_id uuid not null,
  match_quality match_quality not null,
  confidence_level text not null,
  match_status match_status not null,
  computed_at timestamptz not null,
  primary key (member_id, created_at, match_id)
);
insert into member_matches (member_id, created_at, match_id, job_id, match_quality, confidence_level, match_status, computed_at)
select member_id, created_at, id, job_id, match_quality, confidence_level, match_status, computed_at from matches;

-- The stored numbers of matches, with the job by which each row is placed. A row of an organisation has any of its jobs, so that a
-- transaction that changes a job's matches needs no row elsewhere.
drop table match_counts;
create table match_counts (
  job_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- The id of an organisation or of a job.
  owner_id uuid not null,
  match_status match_status not null,
  match_quality match_quality not null,
  match_count bigint not null,
  primary key (job_id, id)
) with (fillfactor = 50);
create index match_counts_by_owner on match_counts (owner_id, match_status, match_quality);

create or replace function count_matches() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in execute case tg_op
    when 'INSERT' then 'select owner_id, (array_agg(job_id))[1] as job_id, match_status, match_quality, count(*) as difference
      from added_matches cross join unnest(array[org_id, job_id]) as owner_id group by 1, 3, 4'
    when 'DELETE' then 'select owner_id, (array_agg(job_id))[1] as job_id, match_status, match_quality, -count(*) as difference
      from removed_matches cross join unnest(array[org_id, job_id]) as owner_id group by 1, 3, 4'
    else 'select owner_id, (array_agg(job_id))[1] as job_id, match_status, match_quality, sum(difference) as difference
      from (
        select org_id, job_id, match_status, match_quality, 1 as difference from added_matches
        union all
        select org_id, job_id, match_status, match_quality, -1 from removed_matches
      ) as changed_matches cross join unnest(array[org_id, job_id]) as owner_id
      group by 1, 3, 4 having sum(difference) <> 0'
    end
  loop
    update match_counts set match_count = match_count + change.difference
    where (job_id, id) = (
      select job_id, id from match_counts
      where (owner_id, match_status, match_quality) = (change.owner_id, change.match_status, change.match_quality)
      limit 1 for update skip locked
    );
    if not found then
      insert into match_counts (job_id, owner_id, match_status, match_quality, match_count)
      values (change.job_id, change.owner_id, change.match_status, change.match_quality, change.difference);
    end if;
  end loop;
  return null;
end
$$;

create trigger matches_counted_insert after insert on matches
  referencing new table as added_matches for each statement execute function count_matches();
create trigger matches_counted_update after update on matches
  referencing old table as removed_matches new table as added_matches for each statement execute function count_matches();
create trigger matches_counted_delete after delete on matches
  referencing old table as removed_matches for each statement execute function count_matches();

insert into match_counts (job_id, owner_id, match_status, match_quality, match_count)
select (array_agg(job_id))[1], owner_id, match_status, match_quality, count(*)
from matches cross join unnest(array[org_id, job_id]) as owner_id group by 2, 3, 4;

-- As before, with the organisation as the last column.
create or replace view job_outlines as
  select id, title, trait_priorities, org_id from jobs;

-- The external id is computed from the id (src/lib/external-id.ts): no shard could check that another has none of the same 40 bits.
alter table members drop column external_id;
alter table jobs drop column external_id;

-- Lists of matches whose cost does not depend on how many matches an organisation or a job has: indexes that begin with the status, and
-- stored numbers of matches. docs/decisions/0027-lists-of-matches.md has the figures.

create index matches_by_job_status on matches (job_id, match_status, match_quality, id);
create index matches_by_org_status on matches (org_id, match_status, match_quality, id);
-- The new indexes serve every statement that used these.
drop index matches_by_job;
drop index matches_by_org;
drop index matches_by_org_quality;

-- The number of matches of an organisation or a job, by status and tier: the sum over its rows with that status and tier. A transaction adds
-- to a row that no other transaction is changing, or inserts a row. Transactions therefore never wait for each other here, and there are
-- as many rows as transactions once changed the same number at the same time. A single row may be negative, but no sum is.
create table match_counts (
  id bigint generated always as identity primary key,
  -- The id of an organisation or of a job.
  owner_id uuid not null,
  match_status text not null,
  match_quality match_quality not null,
  match_count bigint not null
) with (fillfactor = 50);
create index match_counts_by_owner on match_counts (owner_id, match_status, match_quality);

create function count_matches() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in execute case tg_op
    when 'INSERT' then 'select owner_id, match_status, match_quality, count(*) as difference
      from added_matches cross join unnest(array[org_id, job_id]) as owner_id group by 1, 2, 3'
    when 'DELETE' then 'select owner_id, match_status, match_quality, -count(*) as difference
      from removed_matches cross join unnest(array[org_id, job_id]) as owner_id group by 1, 2, 3'
    else 'select owner_id, match_status, match_quality, sum(difference) as difference
      from (
        select org_id, job_id, match_status, match_quality, 1 as difference from added_matches
        union all
        select org_id, job_id, match_status, match_quality, -1 from removed_matches
      ) as changed_matches cross join unnest(array[org_id, job_id]) as owner_id
      group by 1, 2, 3 having sum(difference) <> 0'
    end
  loop
    update match_counts set match_count = match_count + change.difference
    where id = (
      select id from match_counts
      where (owner_id, match_status, match_quality) = (change.owner_id, change.match_status, change.match_quality)
      limit 1 for update skip locked
    );
    if not found then
      insert into match_counts (owner_id, match_status, match_quality, match_count)
      values (change.owner_id, change.match_status, change.match_quality, change.difference);
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

insert into match_counts (owner_id, match_status, match_quality, match_count)
select owner_id, match_status, match_quality, count(*)
from matches cross join unnest(array[org_id, job_id]) as owner_id group by 1, 2, 3;

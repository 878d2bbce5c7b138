-- Jobs can be distributed by their id (docs/decisions/0038-shard-keys.md).

-- What lists show of a job, 100 bytes each, so that a distributed database can have it on every node. Every statement that changes a title
-- changes its row here in the same transaction. The organisation of a job never changes.
create table job_titles (
  job_id uuid primary key references jobs (id),
  org_id uuid not null,
  title text not null
);
insert into job_titles (job_id, org_id, title) select id, org_id, title from jobs;

-- As before, without the priorities.
drop view job_outlines;
create view job_outlines as select job_id as id, org_id, title from job_titles;

-- Which traits a job asks for.
create view job_priorities as select id as job_id, trait_priorities from jobs;

-- Locks those of the jobs that are active in share mode, in the order of their ids so that no two callers deadlock. Each is locked by its own
-- statement, because a distributed database locks rows of one shard only. One call takes one round trip.
create function lock_active_jobs(ids uuid[]) returns setof jobs language plpgsql as $$
declare
  next_id uuid;
begin
  for next_id in select distinct id from unnest(ids) as id order by id loop
    return query select * from jobs where id = next_id and status = 'active' for share;
  end loop;
end
$$;

-- Which jobs have changed in a way that matching follows, as matching_changes says of members: every process that matches has all active jobs
-- in memory and reads on from here.
create table job_changes (
  job_id uuid not null,
  -- Which node of the database has stored the row, and the number of the transaction there; set on that node.
  node bigint not null,
  xid xid8 not null,
  changed_at timestamptz not null default now(),
  primary key (node, xid, job_id)
);
create index job_changes_by_time on job_changes (changed_at);

-- A job that changes twice in a transaction has changed once.
create function note_job_change() returns trigger language plpgsql as $$
begin
  insert into job_changes (job_id) values (coalesce(new.id, old.id)) on conflict do nothing;
  return null;
end
$$;

create trigger job_changes_stamped before insert on job_changes for each row execute function stamp_matching_change();
create trigger jobs_added after insert or delete on jobs for each row execute function note_job_change();
create trigger jobs_changed after update on jobs
  for each row when (
    (old.status, old.version, old.clearance_required, old.remote_policy, old.trait_priorities, old.constraints, old.salary_min, old.salary_max,
      old.salary_currency, old.occupation_code)
    is distinct from
    (new.status, new.version, new.clearance_required, new.remote_policy, new.trait_priorities, new.constraints, new.salary_min, new.salary_max,
      new.salary_currency, new.occupation_code)
  ) execute function note_job_change();

-- Locks those of the members that are deployed in share mode, in the order of their ids so that no two callers deadlock; as lock_active_jobs
-- does for jobs.
create function lock_deployed_members(ids uuid[]) returns setof uuid language plpgsql as $$
declare
  next_id uuid;
begin
  for next_id in select distinct id from unnest(ids) as id order by id loop
    return query select member_id from deployed_profiles where member_id = next_id for share;
  end loop;
end
$$;

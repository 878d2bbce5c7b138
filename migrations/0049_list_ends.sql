-- Where the full list of a job ends, as its last computation found it: what a member must reach to be one of the best. Every process that compares
-- members has it in memory with the job.
alter table jobs add column list_end jsonb;
create trigger jobs_ends_changed after update on jobs
  for each row when (old.list_end is distinct from new.list_end) execute function note_job_change();

-- Whether a match was added because the list of its member would have been empty: it is no part of the list that its job's computation chooses.
alter table matches add column fills_list boolean not null default false;

-- What an organisation sees of a person before both have agreed, and limits on what it may ask (docs/decisions/0046-privacy-of-traits.md).

-- The version of everything that a job asks for and offers. It increases with each change.
alter table jobs add column version integer not null default 1;

-- Each version of each job: its priorities, for the matches that belong to it, and the time, for the limits by day.
create table job_versions (
  job_id uuid not null references jobs (id) on delete cascade,
  version integer not null,
  org_id uuid not null,
  trait_priorities jsonb not null,
  -- Whether a trait had more than its largest share of the weight, and which one; null for most jobs.
  narrow_trait text,
  created_at timestamptz not null,
  primary key (job_id, version)
);
create index job_versions_by_org on job_versions (org_id, created_at desc);
-- The matches of today belong to version 0, so that the next computation replaces those that nobody has acted on: organisations know
-- their members by their real ids.
insert into job_versions (job_id, version, org_id, trait_priorities, created_at)
select id, old_or_new, org_id, trait_priorities, created_at from jobs cross join generate_series(0, 1) as old_or_new;

-- Organisations whose jobs look like an attempt to measure traits, for the operator.
create table probing_reports (
  org_id uuid not null,
  pattern text not null,
  first_reported_at timestamptz not null,
  last_reported_at timestamptz not null,
  report_count integer not null,
  primary key (org_id, pattern)
);

-- The version of the job that a match belongs to. The alias of its member is computed from it.
alter table matches add column version integer not null default 0;
alter table matches alter column version set default 1;
-- How well the job suits the member, in hundredths of a standard deviation: the order of the member's own list within a tier. It is not in
-- `matches`, which organisations read.
alter table member_matches
  add column version integer not null default 0,
  add column suitability smallint not null default 0;
alter table member_matches alter column version set default 1;

-- As before, for each version of a job, with the version that the job has now.
create or replace view job_priorities as
  select job_id, job_versions.trait_priorities, job_versions.version, jobs.version as job_version
  from job_versions join jobs on jobs.id = job_id;

-- What outcomes say about the priorities of jobs (docs/decisions/0065-learning.md).

-- The occupation whose template a job starts from, which is where its job family comes from; null for jobs that start from none.
alter table jobs add column occupation_code text;

-- What the fit multiplies priorities by. A version never changes; what is in use is the last row of fit_policy_uses.
create table fit_policies (
  version smallint primary key check (version > 0),
  -- The version that was live when this one was made, and from which it is at most one step away.
  parent smallint references fit_policies (version),
  created_at timestamptz not null,
  -- Lists of twenty numbers in the order of the traits: "all", and each job family by its occupation group. What is missing is 1.
  multipliers jsonb not null,
  -- What it was made from: counts, which name nobody.
  trained_on jsonb not null
);
create trigger fit_policies_unchanged before update or delete or truncate on fit_policies
  for each statement execute function refuse_change();

create table fit_policy_uses (
  number integer primary key check (number > 0),
  version smallint not null references fit_policies (version),
  action text not null check (action in ('start', 'promote', 'rollback')),
  used_at timestamptz not null
);
create trigger fit_policy_uses_unchanged before update or delete or truncate on fit_policy_uses
  for each statement execute function refuse_change();

-- The priorities as organisations set them.
insert into fit_policies (version, parent, created_at, multipliers, trained_on) values (1, null, now(), '{}', '{}');
insert into fit_policy_uses (number, version, action, used_at) values (1, 1, 'start', now());

-- By which version the labels of a match were computed, and among how many matches of its tier: the order within a tier is random, so that each
-- is the first with the same probability. Four bytes a match.
alter table matches add column policy_version smallint;
alter table matches add column tier_candidates smallint;

create view logged_matches as
  select job_id, id as match_id, member_id, org_id, match_quality, version, policy_version, tier_candidates,
    1.0::double precision / tier_candidates as propensity
  from matches;

create or replace view job_priorities as
  select job_id, job_versions.trait_priorities, job_versions.version, jobs.version as job_version,
    left(jobs.occupation_code, 2) as occupation_group
  from job_versions join jobs on jobs.id = job_id;

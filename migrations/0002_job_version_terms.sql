-- What a version of a job asks for and offers besides the priorities: clearance, place of work, constraints, salary and occupation. A match answers for the
-- version that it belongs to, however often the job is changed afterwards. Null for versions from before this was recorded: they ask for nothing.
alter table job_versions add column terms jsonb;

update job_versions set terms = jsonb_build_object(
  'clearance_required', clearance_required, 'remote_policy', remote_policy, 'constraints', constraints, 'salary_min', salary_min,
  'salary_max', salary_max, 'salary_currency', salary_currency, 'occupation_code', occupation_code)
from jobs where jobs.id = job_versions.job_id and jobs.version = job_versions.version;

-- Of earlier versions, what was recorded with the interest in a match is known.
update job_versions set terms = jsonb_build_object('remote_policy', jobs.remote_policy, 'salary_min', jobs.salary_min, 'salary_max', jobs.salary_max,
  'salary_currency', jobs.salary_currency, 'occupation_code', jobs.occupation_code) || asked.requirements
from jobs, (
  select distinct on (matches.job_id, matches.version) matches.job_id, matches.version, match_contacts.requirements
  from matches join match_contacts on match_contacts.job_id = matches.job_id and match_contacts.match_id = matches.id
  order by matches.job_id, matches.version, matches.id) as asked
where job_versions.terms is null and jobs.id = job_versions.job_id and asked.job_id = job_versions.job_id and asked.version = job_versions.version;

-- The version of the match says it. A node of the earlier version still writes it; a later migration drops it.
alter table match_contacts alter column requirements drop not null;

create or replace view job_priorities as
  select job_id, job_versions.trait_priorities, job_versions.version, jobs.version as job_version,
    left(case when terms is null then jobs.occupation_code else terms ->> 'occupation_code' end, 2) as occupation_group
  from job_versions join jobs on jobs.id = job_id;

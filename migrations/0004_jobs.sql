-- What organisations look for, and who fits.

create table job_templates (
  onet_code text primary key,
  title text not null,
  description text not null,
  trait_priorities jsonb not null,
  search tsvector generated always as (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', description), 'B')
  ) stored
);
create index job_templates_search on job_templates using gin (search);

create table jobs (
  id uuid primary key,
  external_id text not null unique,
  org_id uuid not null references organisations (id),
  title text not null,
  outcome_description text not null,
  status text not null check (status in ('active', 'closed', 'draft')),
  clearance_required text not null check (
    clearance_required in ('none', 'baseline', 'negative_vetting_1', 'negative_vetting_2', 'positive_vetting')
  ),
  remote_policy text not null check (remote_policy in ('onsite', 'hybrid', 'remote')),
  trait_priorities jsonb not null,
  salary_min integer,
  salary_max integer,
  salary_currency text,
  created_at timestamptz not null,
  check (salary_min <= salary_max)
);
create index jobs_by_org on jobs (org_id, created_at desc, id desc);
create index jobs_active on jobs (id) where status = 'active';

create table matches (
  id uuid primary key,
  member_id uuid not null references members (id),
  job_id uuid not null references jobs (id),
  org_id uuid not null references organisations (id),
  match_quality text not null check (match_quality in ('exceptional', 'strong', 'moderate', 'developing')),
  confidence_level text not null check (confidence_level in ('high', 'medium', 'low')),
  match_status text not null check (
    match_status in (
      'pending_review', 'org_interested', 'org_passed', 'member_accepted', 'member_declined', 'placed', 'closed', 'expired',
      'withdrawn'
    )
  ),
  computed_at timestamptz not null,
  created_at timestamptz not null,
  unique (job_id, member_id)
);
create index matches_by_member on matches (member_id, created_at desc, id desc);
create index matches_by_org on matches (org_id, job_id);

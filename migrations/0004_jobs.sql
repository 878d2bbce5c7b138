-- What organisations look for, and who fits.

create table job_templates (
  onet_code text primary key,
  title text not null,
  description text not null,
  trait_priorities jsonb not null,
  -- Stems for whole words, and the words as they stand for somebody who is still typing: the stem of "nursing" begins no "nursi".
  search tsvector generated always as (
    setweight(to_tsvector('english', title) || to_tsvector('simple', title), 'A')
    || setweight(to_tsvector('english', description) || to_tsvector('simple', description), 'B')
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
  -- When the computation that made the stored matches began; an older one that ends later stores nothing.
  matches_computed_at timestamptz,
  check (salary_min <= salary_max),
  check (salary_currency is not null or (salary_min is null and salary_max is null))
);
create index jobs_by_org on jobs (org_id, created_at desc, id desc);
create index jobs_active on jobs (id) where status = 'active';

-- Best first: the order of an enumeration is the order of its labels, so that lists sort and page by the tier itself.
create type match_quality as enum ('exceptional', 'strong', 'moderate', 'developing');

create table matches (
  -- Version 4: lists go by tier and then by id, and a random id tells nothing of the rank within a tier.
  id uuid primary key,
  member_id uuid not null references members (id),
  job_id uuid not null references jobs (id),
  org_id uuid not null references organisations (id),
  match_quality match_quality not null,
  confidence_level text not null check (confidence_level in ('high', 'medium', 'low')),
  match_status text not null check (
    match_status in (
      'pending_review', 'org_interested', 'org_passed', 'member_accepted', 'member_declined', 'placed', 'closed', 'expired',
      'withdrawn'
    )
  ),
  -- What a withdrawn match was before: one that nobody had acted on is forgotten when the member comes back.
  withdrawn_from text,
  computed_at timestamptz not null,
  created_at timestamptz not null,
  unique (job_id, member_id)
);
create index matches_by_job on matches (job_id, match_quality, id);
create index matches_by_member on matches (member_id, created_at desc, id desc);
create index matches_by_org on matches (org_id, job_id);

-- When a user looked at the people of a job, for "new since your last visit". A visit lasts until the user stays away for half an hour.
create table job_visits (
  job_id uuid not null references jobs (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  seen_at timestamptz not null,
  -- When the visit before this one ended; null during the first one.
  new_since timestamptz,
  primary key (job_id, user_id)
);
create index job_visits_by_user on job_visits (user_id);

-- How an organisation likes to look at the people of its jobs: a filter and an order by name.
create table table_views (
  id uuid primary key,
  org_id uuid not null references organisations (id) on delete cascade,
  name text not null,
  status match_status,
  quality match_quality,
  waits_for text,
  label text,
  is_new boolean not null,
  sort text not null,
  unique (org_id, name)
);

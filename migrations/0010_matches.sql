-- What a job must have, how its matches end, and why a match is one, in words.

-- Each member of the object is a condition that a member's profile must meet; none: everybody may be matched.
alter table jobs add column constraints jsonb not null default '{}';

-- What an expired match was before: one that nobody had acted on is forgotten when its job is active again.
alter table matches add column expired_from text;
create index matches_by_org_quality on matches (org_id, match_quality, id);

-- Made by a task when somebody asks, kept as long as what it was made from stays the same.
create table match_explanations (
  match_id uuid primary key references matches (id) on delete cascade,
  -- A digest of everything that the words come from.
  basis text not null,
  explanation jsonb not null,
  generated_at timestamptz not null
);

-- The task that makes it, for each user who waits: asking again starts no second one.
create table match_explanation_requests (
  match_id uuid not null references matches (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  basis text not null,
  task_id uuid not null,
  primary key (match_id, user_id)
);
create index match_explanation_requests_by_user on match_explanation_requests (user_id);

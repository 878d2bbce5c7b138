-- Outcomes of matches as the outcome model sees them (docs/decisions/0065-learning.md).

create view recorded_outcomes as
  select job_id, match_id, number, outcome, placed_at, ended_at, recorded_at from match_outcomes;
create view given_ratings as
  select job_id, match_id, stage_days, respondent, overall_rating from match_feedback;

-- One row a match that has an outcome. It is replaced when more is known, and goes with the match.
create table learning_observations (
  job_id uuid not null,
  match_id uuid not null,
  -- The outcomes and ratings that it was made from.
  records smallint not null,
  features real[] not null,
  value real not null check (value between 0 and 1),
  weight real not null check (weight >= 0),
  -- The logged propensity: how probable it was that this match is the first of its tier.
  propensity real not null check (propensity > 0 and propensity <= 1),
  observed_at timestamptz not null,
  primary key (job_id, match_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);

-- A few others of the same job and tier, one of whom could have been chosen instead. Their matches may be gone; an erasure deletes their rows.
create table learning_candidates (
  job_id uuid not null,
  match_id uuid not null,
  member_id uuid not null,
  features real[] not null,
  propensity real not null check (propensity > 0 and propensity <= 1),
  primary key (job_id, match_id, member_id),
  foreign key (job_id, match_id) references learning_observations (job_id, match_id) on delete cascade
);
create index learning_candidates_by_member on learning_candidates (member_id);

-- What was found about a candidate policy, and why it was not promoted. Never changed.
create table policy_evaluations (
  number integer primary key check (number > 0),
  version smallint not null references fit_policies (version),
  evaluated_at timestamptz not null,
  findings jsonb not null
);
create trigger policy_evaluations_unchanged before update or delete or truncate on policy_evaluations
  for each statement execute function refuse_change();

-- The role that learning reads as. It is granted what the outcome model needs and nothing else, so that no protected attribute can reach it.
-- The owner can call this again if the role was created after this migration.
create function grant_learner() returns void language plpgsql as $$
begin
  if not exists (select from pg_roles where rolname = 'tessera_learner') then
    return;
  end if;
  grant usage on schema public to tessera_learner;
  grant select on logged_matches, recorded_outcomes, given_ratings, job_priorities, deployed_members, latent_vectors,
    listed_vector_versions, culture_profiles to tessera_learner;
  grant select, insert, update, delete on learning_observations, learning_candidates to tessera_learner;
end;
$$;
select grant_learner();

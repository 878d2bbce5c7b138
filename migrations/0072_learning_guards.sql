-- Learning goes by the clock of the service and leaves out suspended organisations (docs/decisions/0074-rings-and-learning.md).

create or replace view given_ratings as
  select job_id, match_id, stage_days, respondent, overall_rating, created_at from match_feedback;

create or replace function grant_learner() returns void language plpgsql as $$
begin
  if not exists (select from pg_roles where rolname = 'tessera_learner') then
    return;
  end if;
  grant usage on schema public to tessera_learner;
  grant select on logged_matches, recorded_outcomes, given_ratings, job_priorities, deployed_members, latent_vectors,
    listed_vector_versions, culture_profiles, suspended_organisations to tessera_learner;
  grant select, insert, update, delete on learning_observations, learning_candidates to tessera_learner;
end;
$$;
select grant_learner();

-- Culture: what people of an organisation answer, and the profiles of all of them together.

create table culture_responses (
  -- The answers go with the user: nobody else may read them, and nobody could ask for their deletion afterwards.
  user_id uuid not null references users (id) on delete cascade,
  questionnaire_version text not null,
  org_id uuid not null references organisations (id),
  -- Points by dimension and by quadrant, in the order of src/modules/organisations/culture/questionnaire.ts. The answers themselves are not kept.
  braving_points smallint[] not null check (cardinality(braving_points) = 7),
  cvf_points smallint[] not null check (cardinality(cvf_points) = 4),
  answered_at timestamptz not null,
  -- The version of the profile that these points stand in; null until there is one.
  published_in integer,
  primary key (user_id, questionnaire_version)
);
create index culture_responses_by_org on culture_responses (org_id, questionnaire_version);

create table culture_profiles (
  org_id uuid not null references organisations (id),
  version integer not null,
  questionnaire_version text not null,
  -- A profile of fewer would tell what single people answered.
  respondents integer not null check (respondents >= 5),
  braving jsonb not null,
  cvf jsonb not null,
  computed_at timestamptz not null,
  primary key (org_id, version)
);

create trigger culture_profiles_append_only before update or delete or truncate on culture_profiles
  for each statement execute function refuse_change();

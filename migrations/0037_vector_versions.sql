-- Vectors name what they were computed from, and all lists use vectors of one version of the parameters (docs/decisions/0043-provisional-scores.md).

-- The assessment whose answers gave the vector; null for vectors that were loaded without answers.
alter table trait_vectors add column assessment_id uuid;
-- From how many of its answers.
alter table trait_vectors add column answer_count smallint;
-- Whether the parameters were not yet calibrated with the answers of enough respondents.
alter table trait_vectors add column provisional boolean not null default true;

-- A vector was created in the transaction that completed its assessment.
update trait_vectors set assessment_id = assessments.id, answer_count = cardinality(item_ids) from assessments
where assessments.member_id = trait_vectors.member_id and completed_at = trait_vectors.created_at;
update trait_vectors set provisional = false
where parameter_version in (select version from item_parameter_versions where not provisional);

create unique index trait_vectors_assessments on trait_vectors (member_id, assessment_id, answer_count, parameter_version);

-- The last row names the version whose vectors all lists use. Before the first row there is only one version, and all vectors are used.
create table vector_switches (
  position bigint generated always as identity primary key,
  parameter_version text not null,
  switched_at timestamptz not null
);
create trigger vector_switches_append_only before update or delete or truncate on vector_switches
  for each statement execute function refuse_change();

-- An existing installation starts with the version of most of its vectors.
insert into vector_switches (parameter_version, switched_at)
select parameter_version, now() from trait_vectors group by parameter_version order by count(*) desc limit 1;

-- How far scoring the stored answers again has come. At most one is open.
create table vector_rescorings (
  position bigint generated always as identity primary key,
  parameter_version text not null,
  -- The members up to this id are done.
  after_member uuid not null default '00000000-0000-0000-0000-000000000000',
  done integer not null default 0,
  left_out integer not null default 0,
  total integer not null,
  started_at timestamptz not null,
  ended_at timestamptz
);
create unique index vector_rescorings_open on vector_rescorings ((true)) where ended_at is null;

-- What further modules read: the vectors, and the versions that lists have used, of which the last is current.
create or replace view latent_vectors as
  select member_id, version, latent_mean as mean, latent_variance as variance, parameter_version, provisional from trait_vectors;

create view listed_vector_versions as
  select position, parameter_version, switched_at from vector_switches;

-- The assessment and what it measured.

create table assessments (
  id uuid primary key,
  member_id uuid not null references members (id),
  item_bank_version text not null,
  started_at timestamptz not null,
  -- Straight-lining, haste and the like: signals about the answers, judged by nobody automatically.
  quality_flags text[] not null default '{}',
  completed_at timestamptz
);
create unique index assessments_open on assessments (member_id) where completed_at is null;
create index assessments_by_member on assessments (member_id, completed_at desc nulls first);

create table assessment_answers (
  assessment_id uuid not null references assessments (id),
  position integer not null,
  item_id text not null,
  option integer not null,
  answered_at timestamptz not null,
  -- From the question to the answer, as the server saw it.
  response_time_ms integer not null,
  primary key (assessment_id, position),
  unique (assessment_id, item_id)
);

create table trait_vectors (
  member_id uuid not null references members (id),
  version integer not null,
  item_bank_version text not null,
  -- The wire shape of the specification: traits, categorical traits, overall confidence.
  vector jsonb not null,
  -- The matcher's form: posterior mean and variance in the order of the taxonomy's twenty slots.
  latent_mean real[] not null,
  latent_variance real[] not null,
  created_at timestamptz not null,
  primary key (member_id, version)
);

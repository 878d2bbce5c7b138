-- People who answer statements for science, without an account. They are no members: nothing refers to both, and only calibrations read the answers.
create table volunteers (
  id uuid primary key,
  -- A keyed hash of the code that is in the address of the volunteer's page.
  code_hash bytea not null unique,
  -- The first test, for a second one. It is counted once, and both are deleted together.
  first_id uuid unique references volunteers (id) on delete cascade,
  -- The text that the volunteer agreed to.
  consent_version text not null,
  item_bank_version text not null,
  parameter_version text not null,
  -- The item that waits for its answer; null at the end.
  asked_id text,
  asked_at timestamptz not null,
  item_ids text[] not null default '{}',
  options smallint[] not null default '{}',
  response_times_ms integer[] not null default '{}',
  quality_flags text[] not null default '{}',
  started_at timestamptz not null,
  completed_at timestamptz,
  -- The confirmed address, encrypted, until the invitation to the second test is sent.
  email_sealed text,
  invite_at timestamptz,
  check (cardinality(item_ids) = cardinality(options) and cardinality(item_ids) = cardinality(response_times_ms)),
  check ((asked_id is null) = (completed_at is not null)),
  check ((email_sealed is null) = (invite_at is null))
);
create index volunteers_due on volunteers (invite_at) where invite_at is not null;
create index volunteers_unfinished on volunteers (asked_at) where completed_at is null;
create index volunteers_finished on volunteers (item_bank_version, id) where completed_at is not null;
create index volunteers_by_completion on volunteers (completed_at) where completed_at is not null;

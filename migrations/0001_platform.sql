-- What the platform itself keeps: keys, events, background tasks, answers to idempotent requests.

create table signing_keys (
  kid text primary key,
  algorithm text not null check (algorithm in ('ES256', 'RS256')),
  public_jwk jsonb not null,
  -- PKCS #8 under the master key.
  private_key_sealed bytea not null,
  created_at timestamptz not null,
  -- A retired key signs nothing new; it stays published, so that what it signed verifies.
  retired_at timestamptz
);
create unique index signing_keys_active on signing_keys (algorithm) where retired_at is null;

create table events (
  id uuid primary key,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null
);
create index events_by_time on events (created_at, id);

create table tasks (
  id uuid primary key,
  name text not null,
  user_id uuid not null,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed')),
  progress_done integer not null default 0,
  progress_total integer not null default 0,
  result_url text,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index tasks_finished on tasks (updated_at) where status in ('succeeded', 'failed');

create table idempotency_keys (
  -- HMACs, not the values: a request's content may hold a password.
  key_hash bytea primary key,
  request_hash bytea not null,
  answer_sealed bytea,
  created_at timestamptz not null
);
create index idempotency_keys_by_time on idempotency_keys (created_at);

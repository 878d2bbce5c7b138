-- Webhooks of organisations (docs/decisions/0050-webhooks.md).

create table webhook_subscriptions (
  org_id uuid not null references organisations (id),
  id uuid not null,
  url text not null,
  events text[] not null,
  is_active boolean not null default true,
  -- Failed attempts in a row.
  failure_count integer not null default 0,
  secret_sealed bytea not null,
  -- Until it expires, deliveries are signed with the previous secret as well.
  previous_secret_sealed bytea,
  previous_secret_expires_at timestamptz,
  -- The time for which the next run of its deliveries is queued.
  wake_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  check ((previous_secret_sealed is null) = (previous_secret_expires_at is null))
);

-- One row for each subscription and event. Rows are removed with the subscription, which is why they need no reference to it.
create table webhook_deliveries (
  org_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  -- The member whom the event is about, so that an erasure finds the row. Organisations never see it.
  member_id uuid,
  -- The exact bytes that are sent and signed.
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  -- The attempts so far, and how many of them are retries of the current schedule.
  attempt integer not null default 0,
  retries integer not null default 0,
  response_status integer,
  response_excerpt text,
  duration_ms integer,
  error text,
  -- The last ten attempts.
  attempts jsonb not null default '[]',
  -- While an attempt is in progress, the time at which it is repeated if its worker is lost.
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, subscription_id, event_id),
  check ((status = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (org_id, subscription_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_overdue on webhook_deliveries (next_attempt_at) where status = 'pending';
create index webhook_deliveries_by_time on webhook_deliveries (org_id, subscription_id, created_at, id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
create index webhook_deliveries_by_member on webhook_deliveries (member_id) where member_id is not null;

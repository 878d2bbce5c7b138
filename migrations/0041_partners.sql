-- Applicant tracking systems: an invitation that one of them asked for, how results go there, and what it knows.
alter table candidate_invitations add column partner text check (partner in ('greenhouse', 'ashby'));

create table partner_connections (
  org_id uuid not null references organisations (id),
  partner text not null check (partner in ('greenhouse', 'ashby')),
  -- Only URLs of this origin are called.
  origin text not null check (char_length(origin) between 1 and 300),
  -- The key by which the system knows the organisation, encrypted.
  key_sealed bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, partner)
);

create table partner_orders (
  -- The system knows the order by this id.
  invitation_id uuid primary key,
  org_id uuid not null references organisations (id),
  partner text not null check (partner in ('greenhouse', 'ashby')),
  -- SHA-256 of what the system names the order by, so that a repeated request finds it.
  request_hash bytea not null,
  callback_url text not null check (char_length(callback_url) between 1 and 2000),
  -- The state that the system was informed of last, with the tier of a result.
  announced text not null,
  -- Whether a result was ever announced, so that its end is a recall.
  had_result boolean not null default false,
  cancelled_at timestamptz,
  -- When the last state was announced after which nothing follows.
  ended_at timestamptz,
  checked_at timestamptz not null,
  created_at timestamptz not null
);
create index partner_orders_by_request on partner_orders (org_id, partner, request_hash, created_at desc);
create index partner_orders_open on partner_orders (checked_at) where ended_at is null;
create index partner_orders_ended on partner_orders (ended_at) where ended_at is not null;

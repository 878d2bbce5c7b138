-- Purchases on the marketplace (docs/decisions/0057-marketplace.md). Each is a paid read, with its price in Australian dollars.

create table marketplace_transactions (
  id uuid primary key,
  -- Null after the member's erasure.
  member_id uuid,
  -- The name by which the organisation bought: an alias, or the real id once it knows it.
  shown_member_id uuid not null,
  org_id uuid not null references organisations (id),
  claim_id uuid not null unique,
  data_type text not null,
  status text not null check (status in ('completed')),
  protocol_version text not null,
  price_usd_micros bigint not null check (price_usd_micros > 0),
  member_usd_micros bigint not null check (member_usd_micros between 0 and price_usd_micros),
  price_aud_micros bigint not null check (price_aud_micros > 0),
  -- The rate of exchange by which the two prices correspond, and when it was read.
  aud_per_usd_micros bigint not null check (aud_per_usd_micros > 0),
  rate_at timestamptz not null,
  created_at timestamptz not null
);
create index marketplace_transactions_by_member on marketplace_transactions (member_id, created_at desc, id desc) where member_id is not null;
create index marketplace_transactions_by_organisation on marketplace_transactions (org_id, created_at desc, id desc);

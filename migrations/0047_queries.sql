-- Paid reads of identity data (docs/decisions/0055-paid-reads.md).

-- How many reads an organisation has used of the quota of a day (UTC). Written in the transaction that records the read, so that it is exact.
create table query_counts (
  org_id uuid not null references organisations (id) on delete cascade,
  day date not null,
  read_count integer not null check (read_count > 0),
  primary key (org_id, day)
);
create index query_counts_by_day on query_counts (day);

-- How many reads an organisation has used of its free allowance, which it gets once.
create table query_allowances (
  org_id uuid primary key references organisations (id) on delete cascade,
  read_count integer not null check (read_count > 0)
);

-- The prices that an organisation was quoted, each for as long as it may pay this price.
create table query_quotes (
  member_id uuid not null references members (id),
  org_id uuid not null references organisations (id) on delete cascade,
  data_type text not null,
  price_micros bigint not null check (price_micros > 0),
  expires_at timestamptz not null,
  primary key (member_id, org_id, data_type, price_micros)
);
create index query_quotes_by_time on query_quotes (expires_at);

-- What an organisation has read about the fit of its culture and a member. It stays until the member is measured again, whatever profiles the
-- organisation publishes: profiles that differ would otherwise measure the same person against each of them.
create table query_alignments (
  member_id uuid not null references members (id),
  org_id uuid not null references organisations (id) on delete cascade,
  vector_version integer not null,
  authenticity text not null check (authenticity in ('high', 'moderate', 'low')),
  acceptance text not null check (acceptance in ('high', 'moderate', 'low')),
  primary key (member_id, org_id)
);

-- Sums over groups of members: what previews of the impact of a job are computed from. One row, replaced at most once a month. It names no member.
create table impact_looks (
  only_one boolean primary key default true check (only_one),
  looked_at timestamptz not null,
  -- How many members were looked at and are in no group that was measured.
  waiting integer not null,
  groups jsonb not null
);

-- Who is in a measurement: the beginning of a hash of the random id, so that a group is measured again only with fifty people who are in none.
create table impact_counted (
  mark bytea primary key
);

-- What members say about themselves for statistics about fairness, apart from their other data. Nothing that matches members reads it
-- (docs/decisions/0058-exports.md).
create table self_identifications (
  member_id uuid primary key references members (id),
  gender text,
  age_band text,
  ethnicity text,
  disability text,
  updated_at timestamptz not null
);

-- The counts behind the last bias report of an organisation about a year. They name no member, and show no cell that is too small. A report is
-- replaced at most once a month, so that the difference of two reports is not about one person.
create table bias_releases (
  org_id uuid not null references organisations (id) on delete cascade,
  year integer not null,
  released_at timestamptz not null,
  counts jsonb not null,
  primary key (org_id, year)
);

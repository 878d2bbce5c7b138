-- How many deployed members there are of each kind that the conditions of a job can ask for. An organisation reads a coarse band of a sum of
-- these rows (docs/decisions/0047-console.md). They name no member, and are replaced as a whole.
create table reach_cells (
  location_country text not null,
  location_state text not null,
  years_experience integer not null,
  education_level text not null,
  clearance_held text not null,
  members bigint not null,
  primary key (location_country, location_state, years_experience, education_level, clearance_held)
);

-- When they were counted: one row.
create table reach_counts (
  id integer primary key check (id = 1),
  counted_at timestamptz not null
);

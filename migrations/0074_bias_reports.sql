-- Bias reports are published once and never counted again. Earlier counts were made by another rule and are dropped.
drop table bias_releases;
delete from bias_populations;

-- The reports of an organisation, as they are shown. They name no member, and no number is about fewer than ten people.
create table bias_reports (
  org_id uuid not null references organisations (id) on delete cascade,
  year integer not null,
  number integer not null,
  published_at timestamptz not null,
  counts jsonb not null,
  primary key (org_id, year, number)
);

-- Who is in a report of an organisation already, so that nobody is in two of them. It names nobody: a mark is the beginning of a hash of a random id, without the report
-- and without anything that the person has said. After an erasure the id is gone, and the mark says nothing.
create table bias_counted (
  org_id uuid not null references organisations (id) on delete cascade,
  mark bytea not null,
  primary key (org_id, mark)
);

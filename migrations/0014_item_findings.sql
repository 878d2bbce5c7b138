-- A version that decisions about statements were applied to has the version that they were applied to. A calibration has none.
alter table item_parameter_versions add base_version text;

-- What calibrations and comparisons of groups found about statements, and what a person has decided about it. The audit log says who.
create table item_findings (
  id uuid primary key,
  kind text not null check (kind in ('weak', 'misfit', 'dependent', 'differs', 'drifted')),
  -- One statement, or both of a dependent pair in the order of their ids.
  item_ids text[] not null,
  -- The group for which a statement works differently, or the parameter that drifted; otherwise empty.
  subject text not null,
  -- The group or the version that it was compared with; otherwise empty.
  compared_with text not null,
  size double precision not null,
  -- How many of the respondents answered the statement, or both.
  answered integer not null,
  respondents integer not null,
  parameter_version text not null,
  found_at timestamptz not null,
  -- Null while nobody has decided.
  decision text check (decision in ('enemies', 'less_weight', 'retire', 'dismiss')),
  retired_item text,
  decided_at timestamptz,
  unique (kind, item_ids, subject, compared_with),
  check (cardinality(item_ids) = case kind when 'dependent' then 2 else 1 end),
  check ((decision is null) = (decided_at is null)),
  check (retired_item is null or (decision = 'retire' and retired_item = any(item_ids)))
);
create index item_findings_by_time on item_findings (found_at desc, id desc);

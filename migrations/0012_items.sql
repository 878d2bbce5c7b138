-- Versions of the item parameters, which of them is in use, and which one measured whom.

create table item_parameter_versions (
  -- The version of the texts, and a digest of the numbers: the same numbers are the same version everywhere.
  version text primary key,
  item_bank_version text not null,
  provisional boolean not null,
  -- {"items": {item_id: {"discrimination", "thresholds"}}, "correlations": 18 x 18 or null}
  parameters jsonb not null,
  respondents integer not null,
  -- What the calibration said about it: reliability, misfit, standard errors.
  report jsonb not null,
  created_at timestamptz not null
);
create trigger item_parameter_versions_append_only before update or delete or truncate on item_parameter_versions
  for each statement execute function refuse_change();

-- The last row is in use; before the first, the judged parameters of the program are. Their version has no row above.
create table item_parameter_uses (
  position bigint generated always as identity primary key,
  version text not null,
  used_from timestamptz not null
);
create trigger item_parameter_uses_append_only before update or delete or truncate on item_parameter_uses
  for each statement execute function refuse_change();

-- An assessment ends with the parameters it began with. What was measured before this column was measured with the judged ones.
alter table assessments add column parameter_version text not null default 'mvp20-1.judged';
alter table trait_vectors add column parameter_version text not null default 'mvp20-1.judged';

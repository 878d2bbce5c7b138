-- The statements of banks that were imported. A change of a bank's statements is another row; our own bank is part of the program.
create table item_banks (
  bank text not null,
  -- A digest of the statements: the same statements are the same version everywhere.
  form_version text not null,
  -- {"scales": [{"scale", "trait"}], "statements": [{"item_id", "scale", "sign", "options", "text", ..}]}
  form jsonb not null,
  created_at timestamptz not null,
  primary key (bank, form_version)
);
create trigger item_banks_append_only before update or delete or truncate on item_banks
  for each statement execute function refuse_change();

-- The parameters of every bank are in one table. `item_bank_version` is the version of the statements: for an imported bank that of a row above.
alter table item_parameter_versions add bank text not null default 'tessera';
create index item_parameter_versions_by_bank on item_parameter_versions (bank, created_at desc);

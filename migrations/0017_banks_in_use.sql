-- A vector is of the bank whose parameters made it. Versions without a row are part of the program.
create or replace view latent_vectors as
  select member_id, version, latent_mean as mean, latent_variance as variance, parameter_version, provisional,
    coalesce((select bank from item_parameter_versions where item_parameter_versions.version = trait_vectors.parameter_version), 'tessera') as bank
  from trait_vectors;

create or replace view listed_vector_versions as
  select position, parameter_version, switched_at,
    coalesce((select bank from item_parameter_versions where item_parameter_versions.version = vector_switches.parameter_version), 'tessera') as bank
  from vector_switches;

-- Versions of imported banks that never were in use can be deleted: no result names them. So can statements without versions.
drop trigger item_parameter_versions_append_only on item_parameter_versions;
create trigger item_parameter_versions_append_only before update or truncate on item_parameter_versions
  for each statement execute function refuse_change();
create function refuse_deletion_of_used_version() returns trigger language plpgsql as $$
begin
  if old.bank = 'tessera' or exists (select from item_parameter_uses where version = old.version)
    or exists (select from item_parameter_versions where base_version = old.version) then
    raise exception 'version % is append-only', old.version;
  end if;
  return old;
end $$;
create trigger item_parameter_versions_used before delete on item_parameter_versions
  for each row execute function refuse_deletion_of_used_version();

drop trigger item_banks_append_only on item_banks;
create trigger item_banks_append_only before update or truncate on item_banks
  for each statement execute function refuse_change();
create function refuse_deletion_of_used_statements() returns trigger language plpgsql as $$
begin
  if exists (select from item_parameter_versions where bank = old.bank and item_bank_version = old.form_version) then
    raise exception 'the statements % are append-only', old.form_version;
  end if;
  return old;
end $$;
create trigger item_banks_used before delete on item_banks
  for each row execute function refuse_deletion_of_used_statements();

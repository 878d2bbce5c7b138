-- What members may ask about their own data: what is sold of it, a copy of it, and its erasure.

-- Which categories of their identity a member allows to be sold; like consent itself, only ever appended to.
create table query_category_records (
  id uuid primary key,
  member_id uuid not null references members (id),
  category text not null check (category in ('archetype', 'trait_profile', 'values_profile', 'alignment')),
  approved boolean not null,
  created_at timestamptz not null,
  -- The order within one instant.
  sequence bigint generated always as identity
);
create index query_category_records_by_member on query_category_records (member_id, category, sequence desc);

-- Erasure is the one lawful end of a consent record. The database refuses every other one: a row goes only while erase_consent says whose
-- rows go, and erase_consent serves only members whose account is marked for deletion.
create function refuse_deletion() returns trigger language plpgsql as $$
begin
  if current_setting('tessera.erased_member', true) is distinct from old.member_id::text then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end
$$;

drop trigger consent_records_append_only on consent_records;
create trigger consent_records_append_only before update or truncate on consent_records
  for each statement execute function refuse_change();
create trigger consent_records_erased_only before delete on consent_records
  for each row execute function refuse_deletion();

create trigger query_category_records_append_only before update or truncate on query_category_records
  for each statement execute function refuse_change();
create trigger query_category_records_erased_only before delete on query_category_records
  for each row execute function refuse_deletion();

create function erase_consent(erased uuid) returns void language plpgsql as $$
begin
  if not exists (select from members where id = erased and account_status = 'pending_deletion') then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  perform set_config('tessera.erased_member', erased::text, true);
  delete from consent_records where member_id = erased;
  delete from query_category_records where member_id = erased;
  perform set_config('tessera.erased_member', '', true);
end
$$;

create table deletion_requests (
  member_id uuid primary key references members (id),
  requested_at timestamptz not null,
  erase_after timestamptz not null
);
create index deletion_requests_by_time on deletion_requests (erase_after);

create table data_exports (
  id uuid primary key,
  member_id uuid not null references members (id),
  -- The task that makes it, by which its member asks for it.
  task_id uuid not null unique,
  requested_at timestamptz not null,
  completed_at timestamptz,
  -- The ZIP; null until it is complete. Here and not on a disk, which several nodes would not share.
  archive bytea,
  check ((archive is null) = (completed_at is null))
);
create index data_exports_by_member on data_exports (member_id, requested_at);
create index data_exports_by_time on data_exports (requested_at);
-- A ZIP does not get smaller.
alter table data_exports alter column archive set storage external;

-- Events about a member are told to the member, and go with the member.
create index events_by_member on events ((data->>'member_id')) where data->>'member_id' is not null;

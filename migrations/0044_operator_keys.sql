-- Keys of the platform, whose administrators make them, have no organisation.
alter table service_keys alter column org_id drop not null;

-- What programs asked lately by each key: the newest requests, without ids, addresses or contents. A reference would lock the key, and two transactions with several keys
-- could wait for each other: the trigger below deletes what belongs to a key, and a row that arrives later goes after a week, unread.
create table service_key_requests (
  id uuid not null,
  service_key_id uuid not null,
  at timestamptz not null,
  method text not null,
  -- The path as the table of the API writes it; null if there is none.
  path text,
  status smallint not null,
  code text,
  duration_ms integer not null,
  primary key (service_key_id, at, id)
);
create index service_key_requests_by_time on service_key_requests (at);

-- Which service keys changed, in the order of transactions. Every process reads on from where it was, and looks these keys up again. The transaction's
-- number makes that exact, as with session_endings. Rows are deleted after an hour.
create table service_key_changes (
  xid xid8 not null default pg_current_xact_id(),
  service_key_id uuid not null,
  changed_at timestamptz not null default now(),
  primary key (xid, service_key_id)
);
create index service_key_changes_by_time on service_key_changes (changed_at);

-- Triggers, because processes of the version before do not write the new table.
create function note_key_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from service_key_requests where service_key_id = old.id;
  end if;
  insert into service_key_changes (service_key_id) values (old.id) on conflict do nothing;
  return null;
end
$$;
create trigger service_keys_changing after delete or update
  of org_id, user_id, permissions, networks, key_hash, public_key, expires_at, previous_hash, previous_public_key, previous_until on service_keys
  for each row execute function note_key_change();

create function note_key_changes_of_user() returns trigger language plpgsql as $$
begin
  insert into service_key_changes (service_key_id) select id from service_keys where user_id = new.id on conflict do nothing;
  return null;
end
$$;
create trigger users_changing_keys after update of role, org_id, suspended_at, removed_at on users
  for each row execute function note_key_changes_of_user();

create function note_key_changes_of_organisation() returns trigger language plpgsql as $$
begin
  insert into service_key_changes (service_key_id) select id from service_keys where org_id = new.id on conflict do nothing;
  return null;
end
$$;
create trigger organisations_changing_keys after update of suspended_at on organisations
  for each row execute function note_key_changes_of_organisation();

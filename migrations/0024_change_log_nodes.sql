-- The change log of matching for a database of several nodes (docs/decisions/0038-shard-keys.md). A change is stored with the row of its
-- member, and each node of the database counts its own transactions. An index therefore follows every node from a mark of its own.

drop trigger members_matching_erasure on members;
drop function note_matching_erasure;
drop table matching_changes;

create table matching_changes (
  -- The changed member. Of an erased member, the last four bytes of the id remain, by which the processes forget the member too.
  member_id uuid not null,
  is_erased boolean not null default false,
  -- Which node of the database has stored the row, and the number of the transaction there; set on that node.
  node bigint not null,
  xid xid8 not null,
  changed_at timestamptz not null default now(),
  primary key (node, xid, member_id)
);
create index matching_changes_by_time on matching_changes (changed_at);

-- The number that tells this node of the database from all others. It stays the same on its standbys.
create function find_database_node() returns bigint language plpgsql stable as $$
begin
  return (select system_identifier from pg_control_system());
end
$$;

create function stamp_matching_change() returns trigger language plpgsql as $$
begin
  new.node := find_database_node();
  new.xid := pg_current_xact_id();
  return new;
end
$$;
create trigger matching_changes_stamped before insert on matching_changes
  for each row execute function stamp_matching_change();

-- One row in every shard of the change log: a database of one node has one shard. A query of this table runs on every node.
create table matching_change_shards (
  shard_key uuid primary key
);
insert into matching_change_shards (shard_key) values ('00000000-0000-0000-0000-000000000000');

-- A member who changes twice in a transaction has changed once.
create or replace function note_matching_change() returns trigger language plpgsql as $$
begin
  insert into matching_changes (member_id) values (new.id) on conflict do nothing;
  return null;
end
$$;

create or replace function note_matching_changes() returns trigger language plpgsql as $$
begin
  insert into matching_changes (member_id) select distinct member_id from changed on conflict do nothing;
  return null;
end
$$;

create function note_matching_erasure() returns trigger language plpgsql as $$
begin
  delete from matching_changes where member_id = old.id;
  insert into matching_changes (member_id, is_erased)
  values (('00000000-0000-0000-0000-0000' || right(old.id::text, 8))::uuid, true) on conflict do nothing;
  return null;
end
$$;
create trigger members_matching_erasure after delete on members
  for each row execute function note_matching_erasure();

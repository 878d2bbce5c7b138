-- The key of the member in every table of what belongs to a person (docs/decisions/0038-shard-keys.md).

alter table consent_records drop constraint consent_records_pkey, add primary key (member_id, id);
alter table query_category_records drop constraint query_category_records_pkey, add primary key (member_id, id);

-- Whose a credential is, for those who have only its id: verifiers and platform administrators.
create table credential_holders (
  credential_id uuid primary key,
  member_id uuid not null
);
insert into credential_holders (credential_id, member_id) select id, member_id from credentials;

alter table wallet_offers drop constraint wallet_offers_credential_id_fkey;
-- A place in a status list is taken under the lock of the list, and never twice. No shard could check that for the others.
alter table credentials
  drop constraint credentials_status_list_id_status_index_key,
  drop constraint credentials_pkey,
  add primary key (member_id, id);
alter table wallet_offers
  add foreign key (member_id, credential_id) references credentials (member_id, id) on delete cascade;

-- As before, with SET LOCAL, which a distributed database passes on to the nodes that check the rows, as it does not with set_config.
create or replace function erase_consent(erased uuid) returns void language plpgsql as $$
begin
  if not exists (select from members_marked_for_deletion where id = erased) then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  execute format('set local tessera.erased_member = %L', erased);
  delete from consent_records where member_id = erased;
  delete from query_category_records where member_id = erased;
  set local tessera.erased_member = '';
end
$$;

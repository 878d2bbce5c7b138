-- The audit log as a chain: each entry gets a link, whose head is a hash over the entry and the head before it. Whoever changes, removes,
-- adds or reorders entries must recompute every later head, which the heads that left the service disagree with.

-- Hides what the hash of an entry covers of a person. Erasure removes it, so that nobody can guess from the hash who it was. Null: erased.
alter table audit_log add column salt uuid default gen_random_uuid();

create table audit_links (
  -- Without gaps, in the order in which entries were linked.
  position bigint primary key check (position > 0),
  -- No reference: the link outlives the entry until all links before it are forgotten.
  entry_id uuid not null unique,
  -- The organisation of the entry, and the place in its own chain.
  org_id uuid,
  org_position bigint check (org_position > 0),
  -- Of the entry.
  created_at timestamptz not null,
  -- The hash of salt, actor, member and detail, which an erasure empties.
  commitment bytea not null check (length(commitment) = 32),
  -- The hash of the other columns of the entry and of the commitment.
  digest bytea not null check (length(digest) = 32),
  -- The hash of the head before and the digest: of the installation, and of the organisation.
  head bytea not null check (length(head) = 32),
  org_head bytea check (length(org_head) = 32),
  check ((org_id is null) = (org_position is null) and (org_id is null) = (org_head is null)),
  unique (org_id, org_position)
);

create trigger audit_links_append_only before update or truncate on audit_links
  for each statement execute function refuse_change();
create trigger audit_links_forgotten_only before delete on audit_links
  for each row execute function refuse_unless_forgotten();

create or replace function refuse_unless_severed() returns trigger language plpgsql as $$
declare
  erased text := current_setting('tessera.severed_member', true);
begin
  if coalesce(erased, '') = ''
    or old.member_id::text is distinct from erased
      and not exists (select from member_users where id = old.actor_user_id and member_id::text = erased)
    or (new.id, new.sequence, new.action, new.actor_role, new.org_id, new.created_at)
      is distinct from (old.id, old.sequence, old.action, old.actor_role, old.org_id, old.created_at)
    or new.actor_user_id is not null and new.actor_user_id is distinct from old.actor_user_id
    or new.member_id is not null and new.member_id is distinct from old.member_id
    or new.detail <> '{}'
    or new.salt is not null
  then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create or replace function sever_audit(erased uuid) returns void language plpgsql as $$
begin
  if not exists (select from members_marked_for_deletion where id = erased) then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  perform set_config('tessera.severed_member', erased::text, true);
  update audit_log set
    member_id = nullif(member_id, erased),
    actor_user_id = case
      when actor_user_id in (select id from member_users where member_id = erased) then null else actor_user_id
    end,
    detail = '{}',
    salt = null
  where member_id = erased or actor_user_id in (select id from member_users where member_id = erased);
  perform set_config('tessera.severed_member', '', true);
end
$$;

-- Deletes at most rows_max entries from before a time, the oldest first, and as many links before the first that is still needed. The last link
-- before it stays, because the chain goes on from its head. Returns how many rows were deleted.
create or replace function forget_audit(horizon timestamptz, rows_max integer) returns bigint language plpgsql as $$
declare
  forgotten bigint;
  unlinked bigint;
begin
  perform set_config('tessera.forgotten_before', horizon::text, true);
  delete from audit_log where id in (select id from audit_log where created_at < horizon order by created_at limit rows_max);
  get diagnostics forgotten = row_count;
  delete from audit_links where position in (
    select position from audit_links
    where created_at < horizon and position < coalesce(
      (select position - 1 from audit_links where created_at >= horizon order by position limit 1),
      (select max(position) from audit_links))
    order by position limit rows_max);
  get diagnostics unlinked = row_count;
  perform set_config('tessera.forgotten_before', '', true);
  return forgotten + unlinked;
end
$$;

-- Who did what to whom, and who was invited into an organisation.

create table audit_log (
  id uuid primary key,
  -- The order within one instant.
  sequence bigint not null unique generated always as identity,
  -- `module.what_happened`; stable, for people filter by it.
  action text not null,
  -- No reference: the entry outlives the account, and then its id points to nobody. Null: the operator, the service, or somebody erased.
  actor_user_id uuid,
  -- As it was then.
  actor_role text check (actor_role in ('member', 'org_admin', 'org_viewer', 'auditor', 'platform_admin')),
  member_id uuid,
  org_id uuid,
  -- Flat, and without names, addresses and secrets: ids of what was touched, and words of ours.
  detail jsonb not null check (jsonb_typeof(detail) = 'object'),
  created_at timestamptz not null
);
create index audit_log_by_member on audit_log (member_id, sequence desc) where member_id is not null;
create index audit_log_by_org on audit_log (org_id, sequence desc) where org_id is not null;
create index audit_log_by_actor on audit_log (actor_user_id, sequence desc) where actor_user_id is not null;
create index audit_log_by_time on audit_log (created_at);

create trigger audit_log_append_only before delete or truncate on audit_log
  for each statement execute function refuse_change();

-- Erasure is the one lawful change of an entry: it takes away who it was, and what could tell so. What was done, by which role and when
-- stays. An entry changes only while sever_audit says whose entries do, and sever_audit serves only members whose account is marked for
-- deletion.
create function refuse_unless_severed() returns trigger language plpgsql as $$
declare
  erased text := current_setting('tessera.severed_member', true);
begin
  if coalesce(erased, '') = ''
    or old.member_id::text is distinct from erased
      and not exists (select from users where id = old.actor_user_id and member_id::text = erased)
    or (new.id, new.sequence, new.action, new.actor_role, new.org_id, new.created_at)
      is distinct from (old.id, old.sequence, old.action, old.actor_role, old.org_id, old.created_at)
    or new.actor_user_id is not null and new.actor_user_id is distinct from old.actor_user_id
    or new.member_id is not null and new.member_id is distinct from old.member_id
    or new.detail <> '{}'
  then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create trigger audit_log_severed_only before update on audit_log
  for each row execute function refuse_unless_severed();

-- While the accounts of the member still tell which entries are theirs.
create function sever_audit(erased uuid) returns void language plpgsql as $$
begin
  if not exists (select from members where id = erased and account_status = 'pending_deletion') then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  perform set_config('tessera.severed_member', erased::text, true);
  update audit_log set
    member_id = nullif(member_id, erased),
    actor_user_id = case when actor_user_id in (select id from users where member_id = erased) then null else actor_user_id end,
    detail = '{}'
  where member_id = erased or actor_user_id in (select id from users where member_id = erased);
  perform set_config('tessera.severed_member', '', true);
end
$$;

create table invitations (
  id uuid primary key,
  org_id uuid not null references organisations (id),
  -- Lower case, as in users; gone as soon as the invitation has ended.
  email text,
  role text not null check (role in ('org_admin', 'org_viewer', 'auditor')),
  -- No reference: who invited may be removed.
  invited_by uuid not null,
  -- SHA-256 of the token, which is an HMAC of the id: the mail can be sent again without the token being kept.
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The last mail, and how many there were.
  sent_at timestamptz not null,
  mails integer not null default 1,
  -- Accepted or cancelled.
  ended_at timestamptz,
  check ((email is null) = (ended_at is not null))
);
create unique index invitations_open on invitations (org_id, email) where ended_at is null;
create index invitations_by_org on invitations (org_id, sent_at);
create index invitations_by_email on invitations (email) where email is not null;
create index invitations_by_expiry on invitations (expires_at);

-- Whom an organisation removed: a row without a person, kept until no access token of theirs can live any more.
alter table users add column removed_at timestamptz;
create index users_removed on users (removed_at) where removed_at is not null;

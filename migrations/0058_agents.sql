-- What people allow agents to do, and accounts that are created by choosing a handle (docs/decisions/0063-grants-and-handles.md).

-- An account has an email address, a handle, or both. An account that was created by a handle has no address until its user verifies one.
alter table users alter column email drop not null;
alter table users add column handle text unique check (handle ~ '^[a-z0-9][a-z0-9_-]{1,30}[a-z0-9]$');
alter table users add constraint users_have_a_name check (email is not null or handle is not null);
-- The same handle with the characters that look alike written as one. It stays reserved as long as the account exists.
alter table users add column handle_skeleton text unique check ((handle_skeleton is null) = (handle is null));
-- A new password ends what was allowed under the old one. Null if the password is the first.
alter table users add column password_changed_at timestamptz;

-- What decides whether an agent may still act for a user: users who are suspended or removed are left out.
create view open_accounts as
  select id as user_id, role, member_id, org_id, password_changed_at from users
  where suspended_at is null and removed_at is null;

create table agent_grants (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  client_id text not null,
  client_name text not null,
  -- Where the user was sent back to, which is harder to pretend than a name.
  redirect_host text not null,
  tools text[] not null,
  -- What was asked for and not allowed, so that an agent is told and does not ask again and again.
  refused_tools text[] not null,
  -- Null: no money may be spent.
  spend_cap_micros bigint check (spend_cap_micros > 0),
  spent_micros bigint not null default 0 check (spent_micros >= 0),
  created_at timestamptz not null,
  -- The last time at which the user consented.
  consented_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index agent_grants_by_user on agent_grants (user_id, created_at desc, id desc);
-- A user has one grant for a client: a further consent changes it.
create unique index agent_grants_open on agent_grants (user_id, client_id) where revoked_at is null;
create index agent_grants_by_end on agent_grants (least(expires_at, revoked_at));

-- The operator's list of accounts, in the order of what their users log in with.
drop index users_by_email_start;
create index users_by_login_name on users ((coalesce(email, '@' || handle) collate "C"));

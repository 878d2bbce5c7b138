-- Who exists, how they sign in, and what they agreed to.

create table organisations (
  id uuid primary key,
  name text not null,
  industry text,
  size text check (size in ('micro', 'small', 'mid_market', 'enterprise')),
  tier text not null default 'E1 Explorer' check (tier in ('E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner')),
  headquarters_country text,
  website text,
  created_at timestamptz not null
);

create table members (
  id uuid primary key,
  external_id text not null unique,
  display_name text not null,
  assessment_phase text not null default 'not_started' check (assessment_phase in ('not_started', 'in_progress', 'complete')),
  account_status text not null default 'active' check (account_status in ('active', 'suspended', 'pending_deletion')),
  current_industry text,
  years_experience integer,
  education_level text
    check (education_level in ('none', 'secondary', 'certificate', 'diploma', 'bachelors', 'masters', 'doctorate')),
  location_country text,
  location_state text,
  -- Facts of other modules that decide the engagement level; each is written in the transaction that makes it true or false.
  email_verified boolean not null default false,
  assessment_consented boolean not null default false,
  matching_consented boolean not null default false,
  created_at timestamptz not null
);

-- The members at engagement level 4, for whoever needs all of them at once: src/modules/people/members/rules.ts in SQL.
create view deployed_members as
  select id from members
  where account_status = 'active' and email_verified and assessment_consented and assessment_phase = 'complete' and matching_consented
    and current_industry is not null and years_experience is not null and education_level is not null
    and location_country is not null;

create table users (
  id uuid primary key,
  -- Lower case: the address is compared without case, so that one mailbox is one account.
  email text not null unique,
  password_hash text not null,
  role text not null check (role in ('member', 'org_admin', 'org_viewer', 'auditor', 'platform_admin')),
  member_id uuid references members (id),
  org_id uuid references organisations (id),
  email_verified_at timestamptz,
  suspended_at timestamptz,
  created_at timestamptz not null,
  last_login timestamptz not null,
  check ((role = 'member') = (member_id is not null)),
  check ((role in ('org_admin', 'org_viewer', 'auditor')) = (org_id is not null))
);
create index users_by_member on users (member_id);
create index users_by_org on users (org_id);
create index users_suspended on users (suspended_at) where suspended_at is not null;

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  address text not null,
  user_agent text
);
create index sessions_by_user on sessions (user_id);
create index sessions_revoked on sessions (revoked_at, id) where revoked_at is not null;
create index sessions_by_expiry on sessions (expires_at);

create table refresh_tokens (
  -- SHA-256 of a 256-bit random token: nothing to guess, nothing to steal.
  token_hash bytea primary key,
  session_id uuid not null references sessions (id),
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set by the refresh that replaced it; a second use is a theft, and ends the session.
  used_at timestamptz
);
create index refresh_tokens_by_session on refresh_tokens (session_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

create table mailed_tokens (
  id uuid primary key,
  -- SHA-256 of the token, which is an HMAC of the id: the mail can be sent again without the token being kept.
  token_hash bytea not null unique,
  user_id uuid not null references users (id),
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index mailed_tokens_by_user on mailed_tokens (user_id, created_at);
create index mailed_tokens_by_expiry on mailed_tokens (expires_at);

create table consent_records (
  id uuid primary key,
  member_id uuid not null references members (id),
  consent_type text not null check (
    consent_type in ('assessment_data', 'matching', 'credential_sharing', 'identity_queries', 'demographic_self_identification')
  ),
  granted boolean not null,
  version text not null,
  created_at timestamptz not null,
  -- The order within one instant.
  sequence bigint generated always as identity
);
create index consent_records_by_member on consent_records (member_id, consent_type, sequence desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end
$$;

create trigger consent_records_append_only before update or delete or truncate on consent_records
  for each statement execute function refuse_change();

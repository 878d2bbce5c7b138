-- The schema at the first release, module by module in the order of src/tables/tables.ts.
-- A later change is a migration of its own; this file never changes.


-- platform

create table signing_keys (
  kid text primary key,
  algorithm text not null check (algorithm in ('ES256', 'RS256')),
  public_jwk jsonb not null,
  -- PKCS #8 under the master key.
  private_key_sealed bytea not null,
  created_at timestamptz not null,
  -- A retired key signs nothing new; it stays published, so that what it signed verifies.
  retired_at timestamptz,
  purpose text not null check (purpose in ('access_token', 'credential')),
  -- When the operator declared the key compromised. Nothing that it signed is accepted or published any more.
  revoked_at timestamptz,
  check (revoked_at is null or retired_at is not null),
  check (purpose = 'access_token' or algorithm = 'ES256')
);
create unique index signing_keys_active on signing_keys (purpose, algorithm) where retired_at is null;

create table events (
  id uuid primary key,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null
);
create index events_by_time on events (created_at, id);
-- Events about a member are told to the member, and go with the member.
create index events_by_member on events ((data->>'member_id')) where data->>'member_id' is not null;

create table tasks (
  id uuid primary key,
  name text not null,
  -- The user who may watch the task; null for most tasks, which nobody watches.
  user_id uuid,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed')),
  progress_done integer not null default 0,
  progress_total integer not null default 0,
  result_url text,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  data jsonb not null default '{}',
  due_at timestamptz not null default now(),
  attempt integer not null default 1,
  -- For whom the task runs: the id of an organisation or member. These take turns, in the order of their ids.
  group_id text collate "C" not null default '',
  -- All queued tasks with the same name and key are done by one run.
  merge_key text,
  -- The event that queued the task, if the task uses it.
  event_id uuid,
  -- Who runs the task: a claim of one worker. A later claim of the same task has another id.
  claim_id uuid,
  heartbeat_at timestamptz,
  -- How often its worker was lost. After too many, the task has failed.
  lost_workers integer not null default 0,
  check ((status = 'running') = (claim_id is not null and heartbeat_at is not null))
);
create index tasks_queued on tasks (name, group_id, due_at) where status = 'queued';
create index tasks_queued_by_key on tasks (name, merge_key) where status = 'queued' and merge_key is not null;
create index tasks_running on tasks (heartbeat_at) where status = 'running';
create index tasks_failed on tasks (updated_at desc, id desc) where status = 'failed';
create index tasks_succeeded on tasks (updated_at) where status = 'succeeded';

-- A task with a schedule has one row: when it is queued next. Whoever moves `due_at` on queues it, so it is queued once.
create table task_schedules (
  name text primary key,
  -- The cron expression from which `due_at` was computed.
  every text not null,
  due_at timestamptz not null
);

create table idempotency_keys (
  -- HMACs, not the values: a request's content may hold a password.
  key_hash bytea primary key,
  request_hash bytea not null,
  answer_sealed bytea,
  created_at timestamptz not null
);
create index idempotency_keys_by_time on idempotency_keys (created_at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end
$$;

-- Counts the rows of a table and samples their values for the planner. After a bulk load, the planner would otherwise believe the table to be
-- empty until the next automatic count. Only the owner of a table may do so, which the role of the service is not.
create function analyze_table(name text) returns void language plpgsql security definer set search_path = pg_catalog as $$
begin
  execute format('analyze public.%I', name);
end
$$;


-- audit

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

-- Erasure is the one lawful change of an entry: it takes away who it was, and what could tell so. What was done, by which role and when
-- stays. An entry changes only while sever_audit says whose entries do, and sever_audit serves only members whose account is marked for
-- deletion.
create function refuse_unless_severed() returns trigger language plpgsql as $$
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
  then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

-- While the accounts of the member still tell which entries are theirs.
create function sever_audit(erased uuid) returns void language plpgsql as $$
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
    detail = '{}'
  where member_id = erased or actor_user_id in (select id from member_users where member_id = erased);
  perform set_config('tessera.severed_member', '', true);
end
$$;

create function refuse_unless_forgotten() returns trigger language plpgsql as $$
declare
  horizon text := current_setting('tessera.forgotten_before', true);
begin
  if coalesce(horizon, '') = '' or old.created_at >= horizon::timestamptz or old.created_at >= now() - interval '184 days' then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end
$$;

-- Deletes at most rows_max entries from before a time, the oldest first, and returns how many.
create function forget_audit(horizon timestamptz, rows_max integer) returns bigint language plpgsql as $$
declare
  forgotten bigint;
begin
  perform set_config('tessera.forgotten_before', horizon::text, true);
  delete from audit_log where id in (select id from audit_log where created_at < horizon order by created_at limit rows_max);
  get diagnostics forgotten = row_count;
  perform set_config('tessera.forgotten_before', '', true);
  return forgotten;
end
$$;

create trigger audit_log_severed_only before update on audit_log
  for each row execute function refuse_unless_severed();
create trigger audit_log_append_only before truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_forgotten_only before delete on audit_log
  for each row execute function refuse_unless_forgotten();


-- orgs

create table organisations (
  id uuid primary key,
  name text not null,
  industry text,
  size text check (size in ('micro', 'small', 'mid_market', 'enterprise')),
  tier text not null default 'E1 Explorer' check (tier in ('E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner')),
  headquarters_country text,
  website text,
  created_at timestamptz not null,
  is_synthetic boolean not null default false,
  -- The operator suspends a whole organisation. Nothing is deleted: a statement that reads
  -- something of an organisation leaves out what this view lists, so that the end of the suspension brings everything back.
  suspended_at timestamptz
);
create index organisations_synthetic on organisations (id) where is_synthetic;
create index organisations_by_name on organisations ((lower(name) collate "C"), id);
create index organisations_suspended on organisations (suspended_at) where suspended_at is not null;

create table organisation_domains (
  org_id uuid not null references organisations (id),
  -- In lower case.
  domain text not null check (domain = lower(domain) and length(domain) between 3 and 253),
  -- What the TXT record of the domain must contain. Replaced when another organisation proves the domain, so that a forgotten record proves nothing.
  challenge text not null check (length(challenge) >= 22),
  verified_at timestamptz,
  verified_by text check (verified_by in ('dns', 'operator')),
  created_at timestamptz not null,
  primary key (org_id, domain),
  check ((verified_at is null) = (verified_by is null))
);
-- One organisation at most holds a domain.
create unique index organisation_domains_held on organisation_domains (domain) where verified_at is not null;

-- An organisation's name.
create view organisation_names as
  select id, name from organisations;

create view suspended_organisations as
  select id, suspended_at from organisations where suspended_at is not null;


-- members

create table members (
  id uuid primary key,
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
  created_at timestamptz not null,
  -- What "demo load" added, so that "demo unload" removes it and nothing else.
  is_synthetic boolean not null default false,
  -- Whether the member is a stub that nobody has claimed: it has no account, no name and no address.
  is_unclaimed boolean not null default false
);
create index members_synthetic on members (id) where is_synthetic;
create index members_by_name on members ((lower(display_name) collate "C"), id);

-- What jobs may ask for in the profile of a member at engagement level 4 (src/modules/people/members/rules.ts in SQL). To lock a row is to lock the
-- member.
create view deployed_profiles as
  select id as member_id, location_country, location_state, years_experience, education_level from members
  where account_status = 'active' and email_verified and assessment_consented and assessment_phase = 'complete' and matching_consented
    and current_industry is not null and years_experience is not null and education_level is not null
    and location_country is not null;

-- Those members, with their ids only. It keeps its columns: processes of the version before join it with members by name.
create view deployed_members as
  select member_id as id from deployed_profiles;

-- A member whose account is marked for deletion: only such a member is erased.
create view members_marked_for_deletion as
  select id from members where account_status = 'pending_deletion';

-- What a member is called, for the account of the member.
create view member_names as
  select id as member_id, display_name from members;


-- consent

create table consent_records (
  id uuid,
  member_id uuid not null references members (id),
  consent_type text not null check (
    consent_type in ('assessment_data', 'matching', 'credential_sharing', 'identity_queries', 'demographic_self_identification')
    ),
  granted boolean not null,
  version text not null,
  created_at timestamptz not null,
  -- The order within one instant.
  sequence bigint generated always as identity,
  primary key (member_id, id)
);
create index consent_records_by_member on consent_records (member_id, consent_type, sequence desc);

-- Which categories of their identity a member allows to be sold; like consent itself, only ever appended to.
create table query_category_records (
  id uuid,
  member_id uuid not null references members (id),
  category text not null check (category in ('archetype', 'trait_profile', 'values_profile', 'alignment')),
  approved boolean not null,
  created_at timestamptz not null,
  -- The order within one instant.
  sequence bigint generated always as identity,
  primary key (member_id, id)
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

create function erase_consent(erased uuid) returns void language plpgsql as $$
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

-- A consent that a member has given and not withdrawn since.
create view granted_consents as
  select member_id, consent_type from consent_records as record
  where granted and not exists (
    select from consent_records as later
    where later.member_id = record.member_id and later.consent_type = record.consent_type and later.sequence > record.sequence);

create trigger consent_records_append_only before update or truncate on consent_records
  for each statement execute function refuse_change();
create trigger consent_records_erased_only before delete on consent_records
  for each row execute function refuse_deletion();
create trigger query_category_records_append_only before update or truncate on query_category_records
  for each statement execute function refuse_change();
create trigger query_category_records_erased_only before delete on query_category_records
  for each row execute function refuse_deletion();


-- self-identification

-- What members say about themselves for statistics about fairness, apart from their other data. Nothing that matches members reads it
--.
create table self_identifications (
  member_id uuid primary key references members (id),
  age_band text,
  disability text,
  updated_at timestamptz not null,
  genders text[] not null default '{}' check (cardinality(genders) <= 10),
  ethnicities text[] not null default '{}' check (cardinality(ethnicities) <= 10),
  gender text
    generated always as (case when cardinality(genders) > 1 then 'several' else genders[1] end) stored,
  ethnicity text
    generated always as (case when cardinality(ethnicities) > 1 then 'several' else ethnicities[1] end) stored
);

-- What members have said about themselves. Only those count who still consent to statistics (granted_consents). The role that learning reads as
-- is not granted it.
create view stated_identities as
  select member_id, gender, age_band, ethnicity, disability from self_identifications;


-- accounts

create table users (
  id uuid primary key,
  -- An account has an email address, a handle, or both. An account that was created by a handle has no address until its user verifies one.
  email text unique,
  password_hash text not null,
  role text not null check (role in ('member', 'org_admin', 'org_viewer', 'auditor', 'platform_admin')),
  member_id uuid references members (id),
  org_id uuid references organisations (id),
  email_verified_at timestamptz,
  suspended_at timestamptz,
  created_at timestamptz not null,
  last_login timestamptz not null,
  -- Counts up whenever the way in changes: another password, a second factor more or less. A login that began before it ends in nothing.
  access_version integer not null default 0,
  -- Whom an organisation removed: a row without a person, kept until no access token of theirs can live any more.
  removed_at timestamptz,
  -- The name of a user who is no member; a member's name is in members. Null: none was given.
  display_name text,
  handle text unique check (handle ~ '^[a-z0-9][a-z0-9_-]{1,30}[a-z0-9]$'),
  -- The same handle with the characters that look alike written as one. It stays reserved as long as the account exists.
  handle_skeleton text unique,
  -- A new password ends what was allowed under the old one. Null if the password is the first.
  password_changed_at timestamptz,
  check ((role = 'member') = (member_id is not null)),
  check ((role in ('org_admin', 'org_viewer', 'auditor')) = (org_id is not null)),
  constraint users_display_name_check check (display_name is null or member_id is null),
  constraint users_have_a_name check (email is not null or handle is not null),
  check ((handle_skeleton is null) = (handle is null))
);
create index users_by_member on users (member_id);
create index users_by_org on users (org_id);
create index users_suspended on users (suspended_at) where suspended_at is not null;
create index users_removed on users (removed_at) where removed_at is not null;
create index users_by_name on users ((lower(display_name) collate "C"), id) where display_name is not null;
-- A suspension must leave one platform administrator, who are few among all users.
create index users_platform_admins on users (id) where role = 'platform_admin';
create index users_by_login_name on users ((coalesce(email, '@' || handle) collate "C"));

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  address text not null,
  user_agent text,
  -- When the user last proved who they are in this session, by POST /auth/reauthenticate. Null: when the session started.
  authenticated_at timestamptz
);
create index sessions_by_user on sessions (user_id);
create index sessions_revoked on sessions (revoked_at, id) where revoked_at is not null;
create index sessions_by_expiry on sessions (expires_at);

-- Which sessions ended, in the order of transactions. Every process reads on from where it was, to refuse the access tokens of these
-- sessions. The transaction's number makes that exact, whatever the clocks of the processes say: a session whose end commits late has a
-- number that no reader has passed. Rows are deleted once every access token of the session has expired, or with the member.
create table session_endings (
  xid xid8 not null default pg_current_xact_id(),
  session_id uuid not null,
  ended_at timestamptz not null default now(),
  primary key (xid, session_id)
);
create index session_endings_by_time on session_endings (ended_at);

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
  purpose text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  -- The new address of a user who changes it; the token is mailed there. A token of another purpose is mailed to the user's address.
  email text,
  constraint mailed_tokens_purpose_check
    check (purpose in ('verify_email', 'change_email', 'reset_password', 'cancel_deletion')),
  constraint mailed_tokens_email_check check ((purpose = 'change_email') = (email is not null))
);
create index mailed_tokens_by_user on mailed_tokens (user_id, created_at);
create index mailed_tokens_by_expiry on mailed_tokens (expires_at);
create index mailed_tokens_unused on mailed_tokens (user_id) where purpose = 'reset_password' and used_at is null;

create table authenticators (
  user_id uuid primary key references users (id),
  -- The TOTP secret under the master key, bound to its user.
  secret_sealed bytea not null,
  created_at timestamptz not null,
  -- Null until a first code shows that the app has the secret.
  enabled_at timestamptz,
  -- The 30-second step of the last code that was taken: no code of it, or of one before, is taken again.
  last_step bigint not null default 0
);

create table recovery_codes (
  -- An HMAC under the master key: 50 bits alone could be tried through by whoever reads a backup.
  code_hash bytea primary key,
  user_id uuid not null references users (id),
  used_at timestamptz
);
create index recovery_codes_by_user on recovery_codes (user_id);

create table mfa_tickets (
  -- SHA-256 of a 256-bit random ticket.
  ticket_hash bytea primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  failures integer not null default 0
);
create index mfa_tickets_by_user on mfa_tickets (user_id);
create index mfa_tickets_by_expiry on mfa_tickets (expires_at);

-- Passkeys: credentials of WebAuthn, each on a device or in a password manager of its user.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- The id that the authenticator chose, and the public key in COSE form. Neither is a secret.
  credential_id bytea not null unique,
  public_key bytea not null,
  -- The authenticator's own count of signatures; 0 if it does not count. A count that goes back shows a copy.
  sign_count bigint not null,
  transports text[] not null,
  -- Whether a password manager keeps copies of it, so that it survives the loss of a device.
  synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, created_at);

-- Challenges that were answered. A challenge proves by its HMAC that this service made it, so only its use is stored.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_by_expiry on used_challenges (expires_at);

-- How many wrong guesses are left, for an account, for a network, and for an account seen from a network.
create table guess_allowances (
  -- An HMAC: an address that somebody tried, and where from, is nobody's to read.
  key_hash bytea primary key,
  guesses_left integer not null,
  ends_at timestamptz not null
);
create index guess_allowances_by_end on guess_allowances (ends_at);

create function note_session_ending() returns trigger language plpgsql as $$
begin
  insert into session_endings (session_id) values (new.id);
  return null;
end
$$;

-- A user of an organisation; users whom the organisation has removed are left out.
create view org_users as
  select id, org_id, email, role, suspended_at, created_at, last_login, display_name, email_verified_at from users
  where org_id is not null and removed_at is null;

-- Which user is a member's.
create view member_users as
  select id, member_id from users where member_id is not null;

-- What decides whether an agent may still act for a user: users who are suspended or removed are left out.
create view open_accounts as
  select id as user_id, role, member_id, org_id, password_changed_at from users
  where suspended_at is null and removed_at is null;

-- A trigger, because processes of the version before do not write the new table.
create trigger sessions_ending after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function note_session_ending();


-- org-users

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


-- sso

create table sso_configurations (
  org_id uuid primary key references organisations (id),
  enabled boolean not null,
  idp_entity_id text not null,
  idp_sso_url text not null,
  -- PEM. Only these keys are believed, whatever a response brings along.
  idp_certificates text[] not null check (cardinality(idp_certificates) between 1 and 10),
  -- Where the three came from, if from there.
  idp_metadata_url text,
  email_attribute text not null,
  name_attribute text,
  email_domains text[] not null check (cardinality(email_domains) >= 1),
  default_role text not null check (default_role in ('org_viewer', 'auditor')),
  allow_idp_initiated boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Logins that were started here and not yet answered.
create table sso_requests (
  -- The ID of the AuthnRequest: 128 random bits.
  id text primary key,
  org_id uuid not null references organisations (id),
  -- SHA-256 of the cookie of the browser that started it.
  browser_hash bytea not null,
  expires_at timestamptz not null
);
create index sso_requests_by_expiry on sso_requests (expires_at);

-- Assertions that have signed somebody in, for as long as they would be taken a second time.
create table sso_assertions (
  org_id uuid not null references organisations (id),
  assertion_id text not null,
  expires_at timestamptz not null,
  primary key (org_id, assertion_id)
);
create index sso_assertions_by_expiry on sso_assertions (expires_at);


-- agents

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
  revoked_at timestamptz,
  -- When an agent was last refused a tool that needs a wider consent. Some clients answer by a refresh, which cannot widen anything: it is refused for
  -- some seconds, so that they ask the person instead.
  scope_asked_at timestamptz
);
create index agent_grants_by_user on agent_grants (user_id, created_at desc, id desc);
-- A user has one grant for a client: a further consent changes it.
create unique index agent_grants_open on agent_grants (user_id, client_id) where revoked_at is null;
create index agent_grants_by_end on agent_grants (least(expires_at, revoked_at));

-- Clients that registered themselves (RFC 7591). Clients that are named by the URL of their metadata have no row.
create table oauth_clients (
  id text primary key check (length(id) <= 100),
  -- The registered metadata, without the secret.
  metadata jsonb not null,
  -- The secret of a confidential client, encrypted with the master key.
  secret_sealed bytea,
  created_at timestamptz not null,
  -- When a person last allowed the client something; null if nobody has.
  used_at timestamptz
);
create index oauth_clients_by_creation on oauth_clients (created_at);
create index oauth_clients_by_use on oauth_clients (used_at);
-- The oldest of the clients that nobody has used make room for new ones.
create index oauth_clients_unused on oauth_clients (created_at) where used_at is null;

-- What the protocol must remember between two requests: interactions, codes, refresh tokens and what they may do.
create table oauth_artifacts (
  -- SHA-256 of the kind and the id. The id of a code or a refresh token is the secret itself, and is not stored.
  id_hash bytea primary key check (length(id_hash) = 32),
  kind text not null,
  -- Null for an interaction, whose user is not known.
  user_id uuid,
  grant_id uuid,
  payload jsonb not null,
  created_at timestamptz not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  constraint oauth_artifacts_user_id_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint oauth_artifacts_kind_check
    check (kind in ('AuthorizationCode', 'Grant', 'Interaction', 'RefreshToken', 'ReplayDetection'))
);
create index oauth_artifacts_by_user on oauth_artifacts (user_id) where user_id is not null;
create index oauth_artifacts_by_expiry on oauth_artifacts (expires_at);
create index oauth_artifacts_by_grant on oauth_artifacts (grant_id, created_at) where grant_id is not null;


-- rights

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
  -- A ZIP does not get smaller.
  archive bytea,
  check ((archive is null) = (completed_at is null))
);
create index data_exports_by_member on data_exports (member_id, requested_at);
create index data_exports_by_time on data_exports (requested_at);
-- A ZIP does not get smaller.
alter table data_exports alter column archive set storage external;


-- traits

create table assessments (
  id uuid,
  member_id uuid not null references members (id),
  item_bank_version text not null,
  started_at timestamptz not null,
  -- Straight-lining, haste and the like: signals about the answers, judged by nobody automatically.
  quality_flags text[] not null default '{}',
  completed_at timestamptz,
  -- An assessment ends with the parameters it began with. What was measured before this column was measured with the judged ones.
  parameter_version text not null default 'mvp20-1.judged',
  -- In the order in which they were given. Null while the assessment is open.
  item_ids text[],
  options smallint[],
  answer_times timestamptz[],
  -- From the question to the answer, as the server saw it.
  response_times_ms integer[],
  stage text not null default 'first' check (stage in ('first', 'deepening', 'complete')),
  -- The item that was shown last and waits for its answer. Null where none was shown since this column exists.
  next_item_id text,
  -- How much the certainty of the member's matches depends on each trait, in slot order; null until matches were computed.
  trait_stakes real[],
  primary key (member_id, id),
  constraint assessments_answers_check check ((completed_at is null) = (item_ids is null))
);
create unique index assessments_open on assessments (member_id) where completed_at is null;
create index assessments_by_member on assessments (member_id, completed_at desc nulls first);

create table assessment_answers (
  assessment_id uuid not null,
  position integer not null,
  item_id text not null,
  option smallint not null,
  answered_at timestamptz not null,
  -- From the question to the answer, as the server saw it.
  response_time_ms integer not null,
  member_id uuid not null,
  primary key (member_id, assessment_id, position),
  unique (member_id, assessment_id, item_id),
  foreign key (member_id, assessment_id) references assessments (member_id, id)
);

create table trait_vectors (
  member_id uuid not null references members (id),
  version integer not null,
  item_bank_version text not null,
  -- The wire shape of the specification: traits, categorical traits, overall confidence.
  vector jsonb not null,
  -- The matcher's form: posterior mean and variance in the order of the taxonomy's twenty slots.
  latent_mean real[] not null,
  latent_variance real[] not null,
  created_at timestamptz not null,
  parameter_version text not null default 'mvp20-1.judged',
  -- What comes from an assessment that is not complete is preliminary.
  stage text not null default 'complete' check (stage in ('first', 'deepening', 'complete')),
  -- The assessment whose answers gave the vector; null for vectors that were loaded without answers.
  assessment_id uuid,
  -- From how many of its answers.
  answer_count smallint,
  -- Whether the parameters were not yet calibrated with the answers of enough respondents.
  provisional boolean not null default true,
  primary key (member_id, version)
);
create unique index trait_vectors_assessments on trait_vectors (member_id, assessment_id, answer_count, parameter_version);

create table item_parameter_versions (
  -- The version of the texts, and a digest of the numbers: the same numbers are the same version everywhere.
  version text primary key,
  item_bank_version text not null,
  provisional boolean not null,
  -- {"items": {item_id: {"discrimination", "thresholds"}}, "correlations": 18 x 18 or null}
  parameters jsonb not null,
  respondents integer not null,
  -- What the calibration said about it: reliability, misfit, standard errors.
  report jsonb not null,
  created_at timestamptz not null
);

-- The last row is in use; before the first, the judged parameters of the program are. Their version has no row above.
create table item_parameter_uses (
  position bigint generated always as identity primary key,
  version text not null,
  used_from timestamptz not null
);

-- The last row names the version whose vectors all lists use. Before the first row there is only one version, and all vectors are used.
create table vector_switches (
  position bigint generated always as identity primary key,
  parameter_version text not null,
  switched_at timestamptz not null
);

-- How far scoring the stored answers again has come. At most one is open.
create table vector_rescorings (
  position bigint generated always as identity primary key,
  parameter_version text not null,
  -- The members up to this id are done.
  after_member uuid not null default '00000000-0000-0000-0000-000000000000',
  done integer not null default 0,
  left_out integer not null default 0,
  total integer not null,
  started_at timestamptz not null,
  ended_at timestamptz
);
create unique index vector_rescorings_open on vector_rescorings ((true)) where ended_at is null;

-- What further modules read: the vectors, and the versions that lists have used, of which the last is current.
create view latent_vectors as
  select member_id, version, latent_mean as mean, latent_variance as variance, parameter_version, provisional from trait_vectors;

create view listed_vector_versions as
  select position, parameter_version, switched_at from vector_switches;

-- The answers of complete assessments.
create view completed_answers as
  select member_id, id as assessment_id, completed_at, item_ids, options from assessments where completed_at is not null;

create trigger item_parameter_versions_append_only before update or delete or truncate on item_parameter_versions
  for each statement execute function refuse_change();
create trigger item_parameter_uses_append_only before update or delete or truncate on item_parameter_uses
  for each statement execute function refuse_change();
create trigger vector_switches_append_only before update or delete or truncate on vector_switches
  for each statement execute function refuse_change();


-- culture

create table culture_responses (
  -- The answers go with the user: nobody else may read them, and nobody could ask for their deletion afterwards.
  user_id uuid not null references users (id) on delete cascade,
  questionnaire_version text not null,
  org_id uuid not null references organisations (id),
  -- Points by dimension and by quadrant, in the order of src/modules/organisations/culture/questionnaire.ts. The answers themselves are not kept.
  braving_points smallint[] not null check (cardinality(braving_points) = 7),
  cvf_points smallint[] not null check (cardinality(cvf_points) = 4),
  answered_at timestamptz not null,
  -- The version of the profile that these points stand in; null until there is one.
  published_in integer,
  primary key (user_id, questionnaire_version)
);
create index culture_responses_by_org on culture_responses (org_id, questionnaire_version);

create table culture_profiles (
  org_id uuid not null references organisations (id),
  version integer not null,
  questionnaire_version text not null,
  -- A profile of fewer would tell what single people answered.
  respondents integer not null check (respondents >= 5),
  braving jsonb not null,
  cvf jsonb not null,
  computed_at timestamptz not null,
  primary key (org_id, version)
);

create trigger culture_profiles_append_only before update or delete or truncate on culture_profiles
  for each statement execute function refuse_change();


-- jobs

create table jobs (
  id uuid primary key,
  org_id uuid not null references organisations (id),
  title text not null,
  outcome_description text not null,
  status text not null check (status in ('active', 'closed', 'draft')),
  clearance_required text not null check (
    clearance_required in ('none', 'baseline', 'negative_vetting_1', 'negative_vetting_2', 'positive_vetting')
    ),
  remote_policy text not null check (remote_policy in ('onsite', 'hybrid', 'remote')),
  trait_priorities jsonb not null,
  salary_min integer,
  salary_max integer,
  salary_currency text,
  created_at timestamptz not null,
  -- When the computation that made the stored matches began; an older one that ends later stores nothing.
  matches_computed_at timestamptz,
  -- Each member of the object is a condition that a member's profile must meet; none: everybody may be matched.
  constraints jsonb not null default '{}',
  -- The version of everything that a job asks for and offers. It increases with each change.
  version integer not null default 1,
  -- The occupation whose template a job starts from, which is where its job family comes from; null for jobs that start from none.
  occupation_code text,
  check (salary_min <= salary_max),
  check (salary_currency is not null or (salary_min is null and salary_max is null))
);
create index jobs_by_org on jobs (org_id, created_at desc, id desc);
create index jobs_active on jobs (id) where status = 'active';

-- Each version of each job: its priorities, for the matches that belong to it, and the time, for the limits by day.
create table job_versions (
  job_id uuid not null references jobs (id) on delete cascade,
  version integer not null,
  org_id uuid not null,
  trait_priorities jsonb not null,
  -- Whether a trait had more than its largest share of the weight, and which one; null for most jobs.
  narrow_trait text,
  created_at timestamptz not null,
  primary key (job_id, version)
);
create index job_versions_by_org on job_versions (org_id, created_at desc);

-- What lists show of a job, 100 bytes each, so that a distributed database can have it on every node. Every statement that changes a title
-- changes its row here in the same transaction. The organisation of a job never changes.
create table job_titles (
  job_id uuid primary key references jobs (id),
  org_id uuid not null,
  title text not null
);

create table job_templates (
  onet_code text primary key,
  title text not null,
  description text not null,
  trait_priorities jsonb not null,
  -- Stems for whole words, and the words as they stand for somebody who is still typing: the stem of "nursing" begins no "nursi".
  search tsvector generated always as (
    setweight(to_tsvector('english', title) || to_tsvector('simple', title), 'A')
    || setweight(to_tsvector('english', description) || to_tsvector('simple', description), 'B')
    ) stored
);
create index job_templates_search on job_templates using gin (search);

-- Users who want to know what becomes of a job's matches. The creator of a job follows it. The audit log says who created the jobs of today.
create table job_followers (
  job_id uuid not null references jobs (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (job_id, user_id)
);
create index job_followers_by_user on job_followers (user_id);

-- Organisations whose jobs look like an attempt to measure traits, for the operator.
create table probing_reports (
  org_id uuid not null,
  pattern text not null,
  first_reported_at timestamptz not null,
  last_reported_at timestamptz not null,
  report_count integer not null,
  primary key (org_id, pattern)
);

-- Locks those of the jobs that are active in share mode, in the order of their ids so that no two callers deadlock. Each is locked by its own
-- statement, because a distributed database locks rows of one shard only. One call takes one round trip.
create function lock_active_jobs(ids uuid[]) returns setof jobs language plpgsql as $$
declare
  next_id uuid;
begin
  for next_id in select distinct id from unnest(ids) as id order by id loop
    return query select * from jobs where id = next_id and status = 'active' for share;
  end loop;
end
$$;

create view job_outlines as select job_id as id, org_id, title from job_titles;

-- Which traits a job asks for.
create view job_priorities as
  select job_id, job_versions.trait_priorities, job_versions.version, jobs.version as job_version,
    left(jobs.occupation_code, 2) as occupation_group
  from job_versions join jobs on jobs.id = job_id;


-- matches

-- Best first: the order of an enumeration is the order of its labels, so that lists sort and page by the tier itself.
create type match_quality as enum ('exceptional', 'strong', 'moderate', 'developing');

-- Four bytes in every row and index instead of up to sixteen.
create type match_status as enum (
  'pending_review', 'org_interested', 'org_passed', 'member_accepted', 'member_declined', 'placed', 'closed', 'expired', 'withdrawn'
);

create table matches (
  -- Version 4: lists go by tier and then by id, and a random id tells nothing of the rank within a tier.
  id uuid,
  member_id uuid not null references members (id),
  job_id uuid not null,
  org_id uuid not null,
  match_quality match_quality not null,
  confidence_level text not null check (confidence_level in ('high', 'medium', 'low')),
  match_status match_status not null,
  -- What a withdrawn match was before: one that nobody had acted on is forgotten when the member comes back.
  withdrawn_from match_status,
  computed_at timestamptz not null,
  created_at timestamptz not null,
  -- What an expired match was before: one that nobody had acted on is forgotten when its job is active again.
  expired_from match_status,
  -- The version of the job that a match belongs to. The alias of its member is computed from it.
  version integer not null default 1,
  -- Whether a label follows from parameters that are not yet calibrated. The labels of today count
  -- as provisional until the next computation.
  provisional boolean not null default true,
  -- By which version the labels of a match were computed, and among how many matches of its tier: the order within a tier is random, so that each
  -- is the first with the same probability. Four bytes a match.
  policy_version smallint,
  tier_candidates smallint,
  -- A match about which a review was asked for stays, even if a later computation no longer finds it.
  is_kept boolean not null default false,
  unique (job_id, member_id),
  primary key (job_id, id),
  foreign key (job_id) references jobs (id)
);
create index matches_by_org_status on matches (org_id, match_status, match_quality, id);

-- What a member's lists show of each match. Every statement that changes a match changes its row here in the same transaction.
create table member_matches (
  -- A computation that adds a match locks its member by this reference: the member cannot leave level 4 before the computation has
  -- committed (src/modules/matching/matches/computing/compute-job-matches.ts).
  member_id uuid not null references members (id),
  created_at timestamptz not null,
  match_id uuid not null,
  job_id uuid not null,
  match_quality match_quality not null,
  confidence_level text not null,
  match_status match_status not null,
  computed_at timestamptz not null,
  -- How well the job suits the member, in hundredths of a standard deviation: the order of the member's own list within a tier. It is not in
  -- `matches`, which organisations read.
  version integer not null default 1,
  suitability smallint not null default 0,
  provisional boolean not null default true,
  primary key (member_id, created_at, match_id)
);

create table match_counts (
  job_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- The id of an organisation or of a job.
  owner_id uuid not null,
  match_status match_status not null,
  match_quality match_quality not null,
  match_count bigint not null,
  primary key (job_id, id)
) with (fillfactor = 50);
create index match_counts_by_owner on match_counts (owner_id, match_status, match_quality);

-- Made by a task when somebody asks, kept as long as what it was made from stays the same.
create table match_explanations (
  match_id uuid,
  -- A digest of everything that the words come from.
  basis text not null,
  explanation jsonb not null,
  generated_at timestamptz not null,
  job_id uuid not null,
  primary key (job_id, match_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);

-- The task that makes it, for each user who waits: asking again starts no second one.
create table match_explanation_requests (
  match_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  basis text not null,
  task_id uuid not null,
  job_id uuid not null,
  primary key (job_id, match_id, user_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);
create index match_explanation_requests_by_user on match_explanation_requests (user_id);

-- What both sides of a match add so that they can meet. A match has a row from the interest of its
-- organisation on.
create table match_contacts (
  job_id uuid not null,
  match_id uuid not null,
  -- The user who expressed the interest; null for a platform administrator. Accounts are on the first node, so there is no reference.
  contact_user_id uuid,
  -- What the job asked for at that time: {clearance_required, constraints}. Later changes of the job do not reach the member's facts.
  requirements jsonb not null,
  organisation_note text,
  member_note text,
  primary key (job_id, match_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);

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

-- One row in every shard of the change log: a database of one node has one shard. A query of this table runs on every node.
create table matching_change_shards (
  shard_key uuid primary key
);

create table matching_preferences (
  member_id uuid primary key references members (id),
  clearance_held text not null check (
    clearance_held in ('none', 'baseline', 'negative_vetting_1', 'negative_vetting_2', 'positive_vetting')
    ),
  -- The policies that the member accepts, the most welcome first; null for any.
  remote_policies text[] check (
    cardinality(remote_policies) > 0 and remote_policies <@ array['onsite', 'hybrid', 'remote']
    ),
  -- Whole units of the currency a year.
  salary_min integer,
  salary_currency text,
  -- Quadrant of the Competing Values Framework to its weight, as organisations are described.
  "values" jsonb,
  updated_at timestamptz not null,
  check ((salary_min is null) = (salary_currency is null))
);

create table match_index_copies (
  id uuid primary key,
  saved_at timestamptz not null default now()
);
create index match_index_copies_by_time on match_index_copies (saved_at);

-- What each worker says about its match index, every ten seconds, for the operator. A worker that stops removes its row; one that was killed
-- leaves it for a day.
create table match_index_nodes (
  id uuid primary key,
  name text not null,
  readiness text not null check (readiness in ('building', 'behind', 'ready')),
  member_count bigint not null,
  bytes bigint not null,
  -- Null until the index is built.
  lag_seconds double precision,
  reported_at timestamptz not null default now()
);

-- How many deployed members there are of each kind that the conditions of a job can ask for. An organisation reads a coarse band of a sum of
-- these rows. They name no member, and are replaced as a whole.
create table reach_cells (
  location_country text not null,
  location_state text not null,
  years_experience integer not null,
  education_level text not null,
  clearance_held text not null,
  members bigint not null,
  primary key (location_country, location_state, years_experience, education_level, clearance_held)
);

-- When they were counted: one row.
create table reach_counts (
  id integer primary key check (id = 1),
  counted_at timestamptz not null
);

-- What the fit multiplies priorities by. A version never changes; what is in use is the last row of fit_policy_uses.
create table fit_policies (
  version smallint primary key check (version > 0),
  -- The version that was live when this one was made, and from which it is at most one step away.
  parent smallint references fit_policies (version),
  created_at timestamptz not null,
  -- Lists of twenty numbers in the order of the traits: "all", and each job family by its occupation group. What is missing is 1.
  multipliers jsonb not null,
  -- What it was made from: counts, which name nobody.
  trained_on jsonb not null
);

create table fit_policy_uses (
  number integer primary key check (number > 0),
  version smallint not null references fit_policies (version),
  action text not null check (action in ('start', 'promote', 'rollback')),
  used_at timestamptz not null
);

-- A member who changes twice in a transaction has changed once.
create function note_matching_change() returns trigger language plpgsql as $$
begin
  insert into matching_changes (member_id) values (new.id) on conflict do nothing;
  return null;
end
$$;

-- A member who was just added has no measurements yet: nothing to follow.
create function note_matching_changes() returns trigger language plpgsql as $$
begin
  insert into matching_changes (member_id) select distinct member_id from changed on conflict do nothing;
  return null;
end
$$;

create function count_matches() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in execute case tg_op
    when 'INSERT' then 'select owner_id, (array_agg(job_id))[1] as job_id, match_status, match_quality, count(*) as difference
      from added_matches cross join unnest(array[org_id, job_id]) as owner_id group by 1, 3, 4'
    when 'DELETE' then 'select owner_id, (array_agg(job_id))[1] as job_id, match_status, match_quality, -count(*) as difference
      from removed_matches cross join unnest(array[org_id, job_id]) as owner_id group by 1, 3, 4'
    else 'select owner_id, (array_agg(job_id))[1] as job_id, match_status, match_quality, sum(difference) as difference
      from (
        select org_id, job_id, match_status, match_quality, 1 as difference from added_matches
        union all
        select org_id, job_id, match_status, match_quality, -1 from removed_matches
      ) as changed_matches cross join unnest(array[org_id, job_id]) as owner_id
      group by 1, 3, 4 having sum(difference) <> 0'
    end
  loop
    update match_counts set match_count = match_count + change.difference
    where (job_id, id) = (
      select job_id, id from match_counts
      where (owner_id, match_status, match_quality) = (change.owner_id, change.match_status, change.match_quality)
      limit 1 for update skip locked
    );
    if not found then
      insert into match_counts (job_id, owner_id, match_status, match_quality, match_count)
      values (change.job_id, change.owner_id, change.match_status, change.match_quality, change.difference);
    end if;
  end loop;
  return null;
end
$$;

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

create function note_matching_erasure() returns trigger language plpgsql as $$
begin
  delete from matching_changes where member_id = old.id;
  insert into matching_changes (member_id, is_erased)
  values (('00000000-0000-0000-0000-0000' || right(old.id::text, 8))::uuid, true) on conflict do nothing;
  return null;
end
$$;

create view logged_matches as
  select job_id, id as match_id, member_id, org_id, match_quality, version, policy_version, tier_candidates,
    1.0::double precision / tier_candidates as propensity
  from matches;

-- How far each match has come. A match that has ended counts as far as is known: one that was withdrawn after the acceptance counts as one in which
-- the organisation was interested.
create view match_progress as
  select matches.job_id, matches.id as match_id, member_id, org_id, created_at,
    case match_quality when 'developing' then 0 when 'moderate' then 1 when 'strong' then 2 else 3 end as tier,
    case
      when match_status = 'placed' then 3
      when match_status in ('member_accepted', 'closed') or expired_from = 'member_accepted' then 2
      when match_status in ('org_interested', 'member_declined') or expired_from = 'org_interested'
        or (match_status = 'withdrawn' and match_contacts.match_id is not null) then 1
      else 0
    end as furthest
  from matches left join match_contacts on match_contacts.job_id = matches.job_id and match_contacts.match_id = matches.id;

create trigger members_matching_change after update on members
  for each row when (
    (old.account_status, old.email_verified, old.assessment_consented, old.assessment_phase, old.matching_consented, old.current_industry,
      old.years_experience, old.education_level, old.location_country, old.location_state)
    is distinct from
    (new.account_status, new.email_verified, new.assessment_consented, new.assessment_phase, new.matching_consented, new.current_industry,
      new.years_experience, new.education_level, new.location_country, new.location_state)
  ) execute function note_matching_change();
create trigger trait_vectors_inserted after insert on trait_vectors
  referencing new table as changed for each statement execute function note_matching_changes();
create trigger trait_vectors_deleted after delete on trait_vectors
  referencing old table as changed for each statement execute function note_matching_changes();
create trigger matching_preferences_inserted after insert on matching_preferences
  referencing new table as changed for each statement execute function note_matching_changes();
create trigger matching_preferences_updated after update on matching_preferences
  referencing new table as changed for each statement execute function note_matching_changes();
create trigger matching_preferences_deleted after delete on matching_preferences
  referencing old table as changed for each statement execute function note_matching_changes();
create trigger matches_counted_insert after insert on matches
  referencing new table as added_matches for each statement execute function count_matches();
create trigger matches_counted_update after update on matches
  referencing old table as removed_matches new table as added_matches for each statement execute function count_matches();
create trigger matches_counted_delete after delete on matches
  referencing old table as removed_matches for each statement execute function count_matches();
create trigger matching_changes_stamped before insert on matching_changes
  for each row execute function stamp_matching_change();
create trigger members_matching_erasure after delete on members
  for each row execute function note_matching_erasure();
create trigger fit_policies_unchanged before update or delete or truncate on fit_policies
  for each statement execute function refuse_change();
create trigger fit_policy_uses_unchanged before update or delete or truncate on fit_policy_uses
  for each statement execute function refuse_change();

insert into matching_change_shards (shard_key) values ('00000000-0000-0000-0000-000000000000');

-- The priorities as organisations set them.
insert into fit_policies (version, parent, created_at, multipliers, trained_on) values (1, null, now(), '{}', '{}');

insert into fit_policy_uses (number, version, action, used_at) values (1, 1, 'start', now());


-- placements

-- The history of each match. The last row says what is true now.
create table match_outcomes (
  job_id uuid not null,
  match_id uuid not null,
  -- 1, 2, 3 … within a match.
  number smallint not null,
  id uuid not null,
  outcome text not null check (outcome in ('placed', 'not_placed', 'left', 'extended')),
  placed_at timestamptz,
  -- When the placement ended (left), or is planned to end (placed, extended); null for one without an end.
  ended_at timestamptz,
  reason text,
  recorded_at timestamptz not null,
  -- An administrator corrects a wrong date of a placement by a further record, which repeats the last outcome with the right date. The wrong record
  -- stays.
  corrects_date boolean not null default false,
  primary key (job_id, match_id, number),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade,
  check ((outcome = 'not_placed') = (placed_at is null)),
  check (outcome <> 'left' or ended_at is not null),
  check (ended_at >= placed_at)
);

-- One row for each side and stage.
create table match_feedback (
  job_id uuid not null,
  match_id uuid not null,
  stage_days smallint not null check (stage_days in (30, 90, 180)),
  respondent text not null check (respondent in ('member', 'organisation')),
  id uuid not null,
  overall_rating smallint not null check (overall_rating between 1 and 5),
  performance smallint check (performance between 1 and 5),
  belonging smallint check (belonging between 1 and 5),
  growth smallint check (growth between 1 and 5),
  would_repeat boolean,
  comment text,
  created_at timestamptz not null,
  primary key (job_id, match_id, stage_days, respondent),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);

-- The next stage of each placement that has not opened yet.
create table feedback_stages (
  job_id uuid not null,
  match_id uuid not null,
  stage_days smallint not null,
  opens_at timestamptz not null,
  primary key (job_id, match_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);
create index feedback_stages_by_time on feedback_stages (opens_at, job_id, match_id);

create view recorded_outcomes as
  select job_id, match_id, number, outcome, placed_at, ended_at, recorded_at from match_outcomes;

create view given_ratings as
  select job_id, match_id, stage_days, respondent, overall_rating, created_at from match_feedback;

create trigger match_outcomes_unchanged before update or truncate on match_outcomes
  for each statement execute function refuse_change();
create trigger match_feedback_unchanged before update or truncate on match_feedback
  for each statement execute function refuse_change();


-- learning

-- One row a match that has an outcome. It is replaced when more is known, and goes with the match.
create table learning_observations (
  job_id uuid not null,
  match_id uuid not null,
  -- The outcomes and ratings that it was made from.
  records smallint not null,
  features real[] not null,
  value real not null check (value between 0 and 1),
  weight real not null check (weight >= 0),
  -- The logged propensity: how probable it was that this match is the first of its tier.
  propensity real not null check (propensity > 0 and propensity <= 1),
  observed_at timestamptz not null,
  primary key (job_id, match_id),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade
);

-- A few others of the same job and tier, one of whom could have been chosen instead. Their matches may be gone; an erasure deletes their rows.
create table learning_candidates (
  job_id uuid not null,
  match_id uuid not null,
  member_id uuid not null,
  features real[] not null,
  propensity real not null check (propensity > 0 and propensity <= 1),
  primary key (job_id, match_id, member_id),
  foreign key (job_id, match_id) references learning_observations (job_id, match_id) on delete cascade
);
create index learning_candidates_by_member on learning_candidates (member_id);

-- What was found about a candidate policy, and why it was not promoted. Never changed.
create table policy_evaluations (
  number integer primary key check (number > 0),
  version smallint not null references fit_policies (version),
  evaluated_at timestamptz not null,
  findings jsonb not null
);

-- The role that learning reads as. It is granted what the outcome model needs and nothing else, so that no protected attribute can reach it.
-- The owner can call this again if the role was created after this migration.
create function grant_learner() returns void language plpgsql as $$
begin
  if not exists (select from pg_roles where rolname = 'tessera_learner') then
    return;
  end if;
  grant usage on schema public to tessera_learner;
  grant select on logged_matches, recorded_outcomes, given_ratings, job_priorities, deployed_members, latent_vectors,
    listed_vector_versions, culture_profiles, suspended_organisations to tessera_learner;
  grant select, insert, update, delete on learning_observations, learning_candidates to tessera_learner;
end;
$$;

create trigger policy_evaluations_unchanged before update or delete or truncate on policy_evaluations
  for each statement execute function refuse_change();


-- reviews

create table match_reviews (
  job_id uuid not null,
  match_id uuid not null,
  -- 1, 2, 3 within a match.
  number smallint not null,
  id uuid not null,
  org_id uuid not null,
  status text not null check (status in ('open', 'answered', 'withdrawn', 'ended')),
  -- What the member asks, in their own words.
  reason text,
  requested_at timestamptz not null,
  -- The end of the last day on which an answer is in time.
  due_at timestamptz not null,
  -- When the next reminder is sent; null if there is none.
  next_notice_at timestamptz,
  outcome text check (outcome in ('upheld', 'changed')),
  answer text,
  -- When it was answered or withdrawn, or ended with the consent of the member.
  closed_at timestamptz,
  primary key (job_id, match_id, number),
  foreign key (job_id, match_id) references matches (job_id, id) on delete cascade,
  check ((status = 'open') = (closed_at is null)),
  check ((status = 'answered') = (outcome is not null)),
  check ((outcome is null) = (answer is null)),
  check (status = 'open' or next_notice_at is null)
);
-- A match has at most one open request.
create unique index match_reviews_open on match_reviews (job_id, match_id) where status = 'open';
create index match_reviews_by_org on match_reviews (org_id, due_at, id);
create index match_reviews_by_notice on match_reviews (next_notice_at, job_id, match_id) where next_notice_at is not null;
create index match_reviews_overdue on match_reviews (due_at, id) where status = 'open';


-- notifications

-- What users have chosen; a user without a row has the defaults (src/modules/operations/notifications/rules.ts).
create table notification_settings (
  user_id uuid primary key references users (id) on delete cascade,
  match_proposed text not null check (match_proposed in ('immediately', 'weekly', 'never')),
  match_accepted text not null check (match_accepted in ('immediately', 'weekly', 'never')),
  match_declined text not null check (match_declined in ('immediately', 'weekly', 'never')),
  updated_at timestamptz not null,
  -- Whether, and how soon, a user is emailed that feedback is open.
  feedback_open text not null default 'immediately'
    check (feedback_open in ('immediately', 'weekly', 'never')),
  data_read text not null default 'weekly'
    check (data_read in ('immediately', 'weekly', 'never'))
);

-- What the next digest of a user says.
create table waiting_notices (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  match_id uuid not null,
  due_at timestamptz not null,
  primary key (user_id, kind, match_id)
);
create index waiting_notices_by_time on waiting_notices (due_at);

-- One row a member whose data was read. The email counts the reads themselves, so that a task that runs twice changes nothing.
create table read_notices (
  user_id uuid primary key references users (id) on delete cascade,
  member_id uuid not null,
  -- Reads until then have been reported, or the member did not want to know about them.
  reported_until timestamptz not null,
  -- The latest read that is known. It is later than `reported_until` if there is something to report.
  latest_at timestamptz not null,
  -- When to report; null if there is nothing to report.
  due_at timestamptz
);
create index read_notices_by_time on read_notices (due_at) where due_at is not null;


-- credentials

create table status_lists (
  id uuid primary key,
  -- One bit for each of 131,072 credentials, the least significant bit of a byte first; 1: revoked. It tells of nobody, and outlives all.
  bits bytea not null,
  -- Uncompressed, so that a piece of the order is read without the rest, and beside the row, so that taking an index writes none of it.
  shuffled bytea not null,
  taken integer not null default 0,
  -- Goes up with every change of the bits.
  version integer not null default 0,
  -- The signed forms of the bits; null where they are to be signed anew.
  vc_jwt text,
  token_jwt text,
  signed_at timestamptz,
  created_at timestamptz not null,
  kid text not null references signing_keys (kid),
  check (octet_length(bits) = 16384),
  check ((vc_jwt is null) = (signed_at is null) and (token_jwt is null) = (signed_at is null))
);
-- Uncompressed, so that a piece of the order is read without the rest, and beside the row, so that taking an index writes none of it.
alter table status_lists alter column shuffled set storage external;
alter table status_lists alter column bits set storage external;

create table credentials (
  id uuid,
  member_id uuid not null references members (id),
  credential_type text not null check (
    credential_type in (
    'trait_attestation', 'archetype_attestation', 'assessment_completion', 'placement_attestation', 'org_validation'
    )
    ),
  attestation_tier text not null check (attestation_tier in ('self_attested', 'platform_verified', 'org_validated')),
  claims jsonb not null check (jsonb_typeof(claims) = 'object'),
  issued_at timestamptz not null,
  -- Expiry is this date and no state: nobody has to come by and set it.
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revocation_reason text,
  -- Whether those who have the id, and not the credential, are told what it says.
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  status_list_id uuid not null references status_lists (id),
  status_index integer not null check (status_index between 0 and 131071),
  -- How often somebody verified it; never who, and never when.
  verifications integer not null default 0,
  vc_jwt text not null,
  sd_jwt_vc text not null,
  attestation_token text not null,
  check (revoked_at is not null or revocation_reason is null),
  primary key (member_id, id)
);
create index credentials_by_member on credentials (member_id, issued_at desc, id desc);
create index credentials_by_time on credentials (issued_at desc, id desc);

-- Whose a credential is, for those who have only its id: verifiers and platform administrators.
create table credential_holders (
  credential_id uuid primary key,
  member_id uuid not null
);


-- wallets

create table wallet_offers (
  id uuid primary key,
  member_id uuid not null references members (id),
  -- One offer a credential: a newer one takes the place of the older one, and of the token that the older one was traded for.
  credential_id uuid not null unique,
  -- Of everything that opens something, only a hash is here.
  handle_hash bytea not null unique,
  code_hash bytea not null unique,
  tx_code_hash bytea not null,
  wrong_tx_codes integer not null default 0,
  expires_at timestamptz not null,
  -- Set when the code is traded: a code with a token is used up.
  token_hash bytea unique,
  token_expires_at timestamptz,
  -- The configurations that the wallet has fetched; each once.
  delivered text[] not null default '{}',
  created_at timestamptz not null,
  check ((token_hash is null) = (token_expires_at is null)),
  foreign key (member_id, credential_id) references credentials (member_id, id) on delete cascade
);
create index wallet_offers_by_member on wallet_offers (member_id);
create index wallet_offers_by_end on wallet_offers (greatest(expires_at, token_expires_at));

-- Nonces are signed and not stored; here are those that were used, until they would have expired anyway.
create table wallet_nonces (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index wallet_nonces_by_end on wallet_nonces (expires_at);


-- stubs

create table identity_stubs (
  member_id uuid primary key,
  -- HMAC of the claim code. The code itself is nowhere: whoever has it becomes the owner.
  code_hash bytea not null unique check (length(code_hash) = 32),
  status text not null check (status in ('unclaimed', 'claimed')),
  created_at timestamptz not null,
  claimed_at timestamptz,
  check ((status = 'claimed') = (claimed_at is not null))
);
create index identity_stubs_unclaimed on identity_stubs (created_at) where status = 'unclaimed';

-- What was observed of a stub, one row a trait: the sum of the weights of its observations, and of their values by weight.
create table stub_observations (
  member_id uuid not null references members (id),
  trait_code text not null,
  observation_count integer not null check (observation_count > 0),
  weight double precision not null check (weight > 0),
  weighted_sum double precision not null,
  primary key (member_id, trait_code)
);


-- reads

-- How many reads an organisation has used of the quota of a day (UTC). Written in the transaction that records the read, so that it is exact.
create table read_counts (
  org_id uuid not null references organisations (id) on delete cascade,
  day date not null,
  read_count integer not null check (read_count > 0),
  primary key (org_id, day)
);
create index read_counts_by_day on read_counts (day);

-- How many reads an organisation has used of its free allowance, which it gets once.
create table read_allowances (
  org_id uuid primary key references organisations (id) on delete cascade,
  read_count integer not null check (read_count > 0)
);

-- The prices that an organisation was quoted, each for as long as it may pay this price.
create table read_quotes (
  member_id uuid not null references members (id),
  org_id uuid not null references organisations (id) on delete cascade,
  data_type text not null,
  price_micros bigint not null check (price_micros > 0),
  expires_at timestamptz not null,
  primary key (member_id, org_id, data_type, price_micros)
);
create index read_quotes_by_time on read_quotes (expires_at);

-- What an organisation has read about the fit of its culture and a member. It stays until the member is measured again, whatever profiles the
-- organisation publishes: profiles that differ would otherwise measure the same person against each of them.
create table read_alignments (
  member_id uuid not null references members (id),
  org_id uuid not null references organisations (id) on delete cascade,
  vector_version integer not null,
  authenticity text not null check (authenticity in ('high', 'moderate', 'low')),
  acceptance text not null check (acceptance in ('high', 'moderate', 'low')),
  primary key (member_id, org_id)
);


-- webhooks

create table webhook_subscriptions (
  org_id uuid not null references organisations (id),
  id uuid not null,
  url text not null,
  events text[] not null,
  is_active boolean not null default true,
  -- Failed attempts in a row.
  failure_count integer not null default 0,
  secret_sealed bytea not null,
  -- Until it expires, deliveries are signed with the previous secret as well.
  previous_secret_sealed bytea,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null,
  -- After several failed attempts in a row, nothing is sent to an endpoint before this time.
  resumes_at timestamptz,
  primary key (org_id, id),
  check ((previous_secret_sealed is null) = (previous_secret_expires_at is null))
);

-- One row for each subscription and event. Rows are removed with the subscription, which is why they need no reference to it.
create table webhook_deliveries (
  org_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  -- The member whom the event is about, so that an erasure finds the row. Organisations never see it.
  member_id uuid,
  -- The exact bytes that are sent and signed.
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  -- The attempts so far, and how many of them are retries of the current schedule.
  attempt integer not null default 0,
  retries integer not null default 0,
  response_status integer,
  response_excerpt text,
  duration_ms integer,
  error text,
  -- The last ten attempts.
  attempts jsonb not null default '[]',
  -- While an attempt is in progress, the time at which it is repeated if its worker is lost.
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, subscription_id, event_id),
  check ((status = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (org_id, subscription_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_overdue on webhook_deliveries (next_attempt_at) where status = 'pending';
create index webhook_deliveries_by_time on webhook_deliveries (org_id, subscription_id, created_at, id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
create index webhook_deliveries_by_member on webhook_deliveries (member_id) where member_id is not null;


-- payments

-- One row for each payment that was presented for a read and was not refused at once, whatever the rail.
create table payments (
  id uuid primary key,
  state text not null check (state in ('claimed', 'settling', 'unknown', 'failed', 'settled', 'recorded', 'refused')),
  rail text not null check (rail in ('mock', 'transfer', 'x402')),
  protocol_version text not null check (protocol_version in ('mock', 'tx-hash', 'x402-v1', 'x402-v2')),
  -- The read that the payment pays for, and nothing else. The member is severed by an erasure.
  org_id uuid not null,
  user_id uuid not null,
  member_id uuid,
  data_type text not null,
  -- The id by which the organisation named the member, if the read is listed on the marketplace; null for other reads, and after the member's erasure.
  shown_member_id uuid,
  -- The grant of the agent that presented the payment, whose limit it was counted against; null if no agent did. What is owed back is taken off again.
  grant_id uuid,
  price_micros bigint not null check (price_micros >= 0),
  -- What the payer sends, in millionths of a dollar.
  amount_micros bigint not null check (amount_micros >= price_micros),
  -- What was signed; null on the mock rail. A transfer has no nonce and no end.
  network text,
  asset text,
  payer text,
  pay_to text,
  nonce text,
  valid_before timestamptz,
  -- What was mined.
  transaction text,
  log_index integer,
  -- Why the payment failed or was refused, or why its outcome is unknown.
  reason text,
  -- The stored result of the read.
  result jsonb,
  -- Until then, one process settles the payment.
  attempt_until timestamptz,
  created_at timestamptz not null,
  -- When it was last settled, or compared with the chain.
  attempted_at timestamptz not null,
  settled_at timestamptz,
  check (state not in ('settled', 'recorded', 'refused') or settled_at is not null),
  check (state <> 'recorded' or result is not null or member_id is null),
  check (state <> 'settling' or attempt_until is not null)
);
create index payments_open on payments (attempted_at, id) where state in ('claimed', 'settling', 'unknown', 'failed');
create index payments_unrecorded on payments (settled_at, id) where state = 'settled';
create index payments_by_organisation on payments (org_id, created_at, id);
create index payments_by_member on payments (member_id) where member_id is not null;

-- Everything by which a payment could be presented again: the signed authorisation, the mined log, the id on the mock rail.
create table payment_keys (
  key text primary key,
  payment_id uuid not null,
  created_at timestamptz not null
);

-- Wallets from which an organisation pays. One wallet belongs to one organisation.
create table payment_wallets (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  id uuid not null unique,
  org_id uuid not null references organisations (id),
  created_by uuid not null,
  created_at timestamptz not null
);
create index payment_wallets_by_organisation on payment_wallets (org_id, created_at, id);

-- Messages that a wallet is asked to sign, each once.
create table payment_wallet_challenges (
  org_id uuid not null references organisations (id),
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  nonce text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (org_id, address)
);
create index payment_wallet_challenges_by_time on payment_wallet_challenges (expires_at);

-- The states and their order are those of src/modules/income/payments/rules.ts. The database refuses any other change, so that no error in the code
-- can use a payment twice.
create function guard_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'payments are never deleted' using errcode = 'integrity_constraint_violation';
  end if;
  if (new.id, new.rail, new.protocol_version, new.org_id, new.user_id, new.data_type, new.price_micros, new.amount_micros,
      new.network, new.asset, new.payer, new.pay_to, new.nonce, new.valid_before, new.created_at)
    is distinct from (old.id, old.rail, old.protocol_version, old.org_id, old.user_id, old.data_type, old.price_micros, old.amount_micros,
      old.network, old.asset, old.payer, old.pay_to, old.nonce, old.valid_before, old.created_at)
    or new.member_id is distinct from old.member_id and new.member_id is not null
  then
    raise exception 'what a payment pays for never changes' using errcode = 'integrity_constraint_violation';
  end if;
  if new.state <> old.state and old.state || ' ' || new.state not in (
    'claimed settling', 'claimed failed',
    'settling settled', 'settling failed', 'settling unknown',
    'unknown settling', 'unknown settled', 'unknown failed',
    'failed settling', 'failed settled',
    'settled recorded', 'settled refused'
  ) then
    raise exception 'a payment cannot change from % to %', old.state, new.state using errcode = 'integrity_constraint_violation';
  end if;
  if old.settled_at is not null
    and (new.transaction, new.log_index, new.settled_at) is distinct from (old.transaction, old.log_index, old.settled_at)
  then
    raise exception 'a settlement never changes' using errcode = 'integrity_constraint_violation';
  end if;
  if new.result is distinct from old.result
    and not (old.state = 'settled' and new.state = 'recorded')
    and not (new.result is null and new.member_id is null)
  then
    raise exception 'a stored result never changes' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

-- Payments that have ended. The member is null after an erasure.
create view ended_payments as
  select id, org_id, member_id, state, amount_micros from payments where state in ('recorded', 'refused');

create trigger payment_keys_append_only before update or delete or truncate on payment_keys
  for each statement execute function refuse_change();
create trigger payments_guarded before update or delete on payments
  for each row execute function guard_payment();
create trigger payments_kept before truncate on payments
  for each statement execute function refuse_change();


-- books

create table ledger_journals (
  -- Whose money it is about: a member, or an organisation that is owed a refund. After an erasure, an id that belongs to nobody.
  holder_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('read', 'refund', 'payout', 'settlement', 'reversal')),
  -- What is posted once. The same key with another body is refused.
  idempotency_key text not null,
  body_hash bytea not null check (length(body_hash) = 32),
  org_id uuid,
  read_id uuid,
  payment_id uuid,
  payout_id uuid,
  -- The journal that this one takes back.
  reversed_id uuid,
  rail text check (rail in ('mock', 'transfer', 'x402')),
  -- The member's share of a read in basis points.
  share_bps integer check (share_bps between 0 and 10000),
  reason text,
  posted_at timestamptz not null,
  primary key (holder_id, id),
  -- The primary key is the only index by the holder alone. Of two such indexes, the planner may take the other one to find a single journal, and read
  -- all journals of a popular member.
  unique (idempotency_key, holder_id),
  check ((kind = 'read') = (share_bps is not null)),
  check ((kind = 'reversal') = (reversed_id is not null)),
  check (kind not in ('read', 'refund') or (payment_id is not null and org_id is not null and rail is not null))
);
create unique index ledger_journals_by_reversed on ledger_journals (holder_id, reversed_id) where reversed_id is not null;

-- Debits are positive, credits negative. The balance of an account is the sum of its postings: no row is updated by two sales.
create table ledger_postings (
  holder_id uuid not null,
  journal_id uuid not null,
  account text not null
    check (account in ('cash_mock', 'cash_chain', 'platform_income', 'member_income', 'payouts_in_progress', 'owed_to_payers')),
  amount bigint not null check (amount <> 0),
  -- When a member's income may be paid out: pending before, available from then on.
  available_at timestamptz,
  primary key (holder_id, journal_id, account),
  foreign key (holder_id, journal_id) references ledger_journals (holder_id, id),
  check ((account = 'member_income') = (available_at is not null))
);
-- For balances. It has a condition for the same reason as above.
create index ledger_postings_by_account on ledger_postings (holder_id, account, available_at) include (amount)
  where account in ('member_income', 'payouts_in_progress');

create table ledger_checkpoints (
  holder_id uuid primary key,
  -- Everything that is available until this time, this time included, is in the sums.
  until timestamptz not null,
  income_micros bigint not null,
  paid_micros bigint not null check (paid_micros >= 0)
);

create table payouts (
  -- The member, or the organisation that gets a refund.
  holder_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('income', 'refund')),
  -- requested: in the ledger. sending: its transaction is signed, and may have been sent. paid, returned: final.
  status text not null check (status in ('requested', 'sending', 'paid', 'returned')),
  amount_micros bigint not null check (amount_micros > 0),
  rail text not null check (rail in ('mock', 'chain')),
  -- Gone once the payout has ended and the member is erased.
  destination text,
  -- The payment that a refund gives back.
  payment_id uuid,
  -- The hash of the transaction, and the signed transaction itself, which may be sent again and again without paying twice.
  transaction_hash text,
  signed_transaction text,
  requested_at timestamptz not null,
  ended_at timestamptz,
  -- The account was erased while the payout was in progress, which then needs its destination a little longer.
  is_severed boolean not null default false,
  -- The hashes of the transactions that were signed for the payout before its present one, the newest first, and when the present one was signed. All of
  -- them have the same nonce, so that the chain carries out at most one.
  earlier_hashes text[] not null default '{}',
  signed_at timestamptz,
  primary key (holder_id, id),
  unique (holder_id, payment_id),
  check ((kind = 'refund') = (payment_id is not null)),
  check ((status in ('paid', 'returned')) = (ended_at is not null)),
  check (status <> 'sending' or transaction_hash is not null)
);
-- One payout of a member at a time: the second waits for the first one's transaction, and is refused.
create unique index payouts_open on payouts (holder_id) where kind = 'income' and status in ('requested', 'sending');
create index payouts_unfinished on payouts (requested_at, id) where status in ('requested', 'sending');
create index payouts_by_time on payouts (holder_id, requested_at, id);
-- For what was paid after a checkpoint.
create index payouts_paid on payouts (holder_id, ended_at) include (amount_micros) where status = 'paid';

-- Which transaction number comes next for an address that sends payouts. Its row is locked while a payout takes one.
create table payout_nonces (
  chain_id bigint not null,
  address text not null,
  next_nonce bigint not null check (next_nonce > 0),
  primary key (chain_id, address)
);

create table reads (
  -- The member who was read. After an erasure, an id that belongs to nobody.
  member_id uuid not null,
  id uuid not null,
  org_id uuid not null,
  -- The user of the organisation. No reference: the read outlives the account.
  user_id uuid not null,
  data_type text not null check (data_type in ('archetype', 'trait_profile', 'values_profile', 'alignment')),
  payment_type text not null check (payment_type in ('x402', 'transfer', 'mock', 'allowance')),
  gross_micros bigint not null check (gross_micros >= 0),
  member_micros bigint not null check (member_micros between 0 and gross_micros),
  share_bps integer not null check (share_bps between 0 and 10000),
  multiplier_bps integer not null check (multiplier_bps between 5000 and 20000),
  payment_id uuid,
  protocol_version text,
  journal_id uuid,
  created_at timestamptz not null,
  -- A read on the marketplace has a price in Australian dollars, the rate of exchange by which it corresponds to the price in US dollars, when this rate was
  -- read, and the id by which the organisation named the member: an alias, or the real id once it knows it.
  shown_member_id uuid,
  price_aud_micros bigint check (price_aud_micros > 0),
  aud_per_usd_micros bigint check (aud_per_usd_micros > 0),
  rate_at timestamptz,
  primary key (member_id, id),
  unique (member_id, payment_id),
  -- A free read earns recognition: there is neither money without a read nor a paid read without money.
  check ((payment_type = 'allowance') = (gross_micros = 0)),
  check ((payment_type = 'allowance') = (journal_id is null)),
  check ((payment_type = 'allowance') = (payment_id is null)),
  check ((price_aud_micros is null) = (shown_member_id is null)),
  check ((price_aud_micros is null) = (aud_per_usd_micros is null)),
  check ((price_aud_micros is null) = (rate_at is null)),
  check (price_aud_micros is null or payment_type <> 'allowance')
);
create index reads_by_time on reads (member_id, created_at desc, id desc);
create index reads_by_org on reads (org_id, created_at desc, id desc);
create index reads_on_marketplace_by_member on reads (member_id, created_at desc, id desc) where price_aud_micros is not null;
create index reads_on_marketplace_by_org on reads (org_id, created_at desc, id desc) where price_aud_micros is not null;

create table money_watch (
  topic text primary key check (topic in ('books', 'chain')),
  observed_at timestamptz not null,
  -- Books: how many faults the check found.
  fault_count integer check (fault_count >= 0),
  -- Chain: the time of the newest block of the node; null if the node did not answer.
  newest_block_at timestamptz,
  check ((topic = 'books') = (fault_count is not null)),
  check (topic = 'chain' or newest_block_at is null)
);

-- Checked when the transaction commits.
create function refuse_unbalanced_postings() returns trigger language plpgsql as $$
declare
  total numeric;
begin
  select sum(amount) into total from ledger_postings where holder_id = new.holder_id and journal_id = new.journal_id;
  if total <> 0 then
    raise exception 'journal % is unbalanced by %', new.journal_id, total using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

create function refuse_empty_journal() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_postings where holder_id = new.holder_id and journal_id = new.id) then
    raise exception 'journal % has no postings', new.id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

create function refuse_unless_journal_moved() returns trigger language plpgsql as $$
declare
  successor text := nullif(current_setting('tessera.severed_as', true), '');
begin
  if successor = old.holder_id::text or coalesce(current_setting('tessera.severed_holder', true), '') <> old.holder_id::text
    or not exists (select from members_marked_for_deletion where id = old.holder_id)
    or not exists (
      select from ledger_journals as copy
      where holder_id = successor::uuid and id = old.id and to_jsonb(copy) - 'holder_id' = to_jsonb(old) - 'holder_id')
  then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end
$$;

create function refuse_unless_posting_moved() returns trigger language plpgsql as $$
declare
  successor text := nullif(current_setting('tessera.severed_as', true), '');
begin
  if successor = old.holder_id::text or coalesce(current_setting('tessera.severed_holder', true), '') <> old.holder_id::text
    or not exists (select from members_marked_for_deletion where id = old.holder_id)
    or not exists (
      select from ledger_postings as copy
      where holder_id = successor::uuid and journal_id = old.journal_id and account = old.account
        and to_jsonb(copy) - 'holder_id' = to_jsonb(old) - 'holder_id')
  then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end
$$;

-- Moves what the ledger has of a member whose account is marked for deletion to an id that belongs to nobody. Until the commit, nothing can be posted for
-- the member, no payout can end, and no checkpoint can be made: it would keep the id of the member.
create function sever_ledger(erased uuid, successor uuid) returns void language plpgsql as $$
begin
  if not exists (select from members_marked_for_deletion where id = erased) then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  perform lock_holder_of_books(erased);
  delete from ledger_checkpoints where holder_id = erased;
  insert into ledger_journals
    (holder_id, id, kind, idempotency_key, body_hash, org_id, read_id, payment_id, payout_id, reversed_id, rail, share_bps, reason, posted_at)
  select successor, id, kind, idempotency_key, body_hash, org_id, read_id, payment_id, payout_id, reversed_id, rail, share_bps, reason, posted_at
  from ledger_journals where holder_id = erased;
  insert into ledger_postings (holder_id, journal_id, account, amount, available_at)
  select successor, journal_id, account, amount, available_at from ledger_postings where holder_id = erased;
  -- A payout in progress keeps its destination until it ends.
  insert into payouts
    (holder_id, id, kind, status, amount_micros, rail, destination, payment_id, transaction_hash, signed_transaction, earlier_hashes, signed_at,
      requested_at, ended_at, is_severed)
  select successor, id, kind, status, amount_micros, rail, case when ended_at is null then destination end, payment_id,
    case when ended_at is null then transaction_hash end, signed_transaction, earlier_hashes, signed_at, requested_at, ended_at, true
  from payouts where holder_id = erased;
  execute format('set local tessera.severed_holder = %L', erased);
  execute format('set local tessera.severed_as = %L', successor);
  delete from payouts where holder_id = erased;
  delete from ledger_postings where holder_id = erased;
  delete from ledger_journals where holder_id = erased;
  set local tessera.severed_holder = '';
  set local tessera.severed_as = '';
end
$$;

-- Adds up until a time what a member has earned and was paid, from the former checkpoint on. The lock waits for transactions that are posting for this
-- member, and those that come later wait for this one, so that no posting can be committed afterwards that belongs into the sum and is not in it.
create function checkpoint_ledger(holder uuid, up_to timestamptz) returns void language plpgsql as $$
declare
  former ledger_checkpoints;
  since timestamptz;
begin
  -- With an older snapshot, the sums would lack what was committed while the lock was awaited.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a checkpoint needs the isolation level read committed' using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('ledger.holder:' || holder, 0));
  select * into former from ledger_checkpoints where holder_id = holder;
  since := coalesce(former.until, '-infinity');
  if up_to <= since or not exists (select from ledger_postings where holder_id = holder and account = 'member_income') then
    return;
  end if;
  insert into ledger_checkpoints (holder_id, until, income_micros, paid_micros)
  select holder, up_to,
    coalesce(former.income_micros, 0) + coalesce((
      select sum(-amount) from ledger_postings
      where holder_id = holder and account = 'member_income' and available_at > since and available_at <= up_to), 0),
    coalesce(former.paid_micros, 0) + coalesce((
      select sum(amount_micros) from payouts
      where holder_id = holder and status = 'paid' and ended_at > since and ended_at <= up_to), 0)
  on conflict (holder_id) do update
    set until = excluded.until, income_micros = excluded.income_micros, paid_micros = excluded.paid_micros;
end
$$;

-- With an older snapshot, a checkpoint that was made meanwhile would not be seen, and stay without what is posted.
create function forget_checkpoint() returns trigger language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'income and payouts need the isolation level read committed' using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger.holder:' || new.holder_id, 0));
  if tg_table_name = 'payouts' then
    delete from ledger_checkpoints where holder_id = new.holder_id and until >= new.ended_at;
  else
    delete from ledger_checkpoints where holder_id = new.holder_id and until >= new.available_at;
  end if;
  return null;
end
$$;

-- A payout is requested, then sent, then paid or returned. What has ended never changes, and whose money it is never changes. One that was not signed
-- yet may be returned. A row is deleted only by an erasure, and only if its copy is there.
create function guard_payout() returns trigger language plpgsql as $$
declare
  successor text := nullif(current_setting('tessera.severed_as', true), '');
begin
  if tg_op = 'DELETE' then
    if successor = old.holder_id::text or coalesce(current_setting('tessera.severed_holder', true), '') <> old.holder_id::text
      or not exists (
        select from payouts as copy
        where holder_id = successor::uuid and id = old.id and is_severed
          and to_jsonb(copy) - '{holder_id,is_severed,destination,transaction_hash}'::text[]
            = to_jsonb(old) - '{holder_id,is_severed,destination,transaction_hash}'::text[])
    then
      raise exception 'payouts are never deleted' using errcode = 'integrity_constraint_violation';
    end if;
    return old;
  end if;
  if (new.holder_id, new.id, new.kind, new.rail, new.payment_id, new.is_severed)
      is distinct from (old.holder_id, old.id, old.kind, old.rail, old.payment_id, old.is_severed)
    or new.amount_micros <> old.amount_micros and old.status <> 'requested'
    or old.status in ('paid', 'returned')
  then
    raise exception 'what a payout pays never changes' using errcode = 'integrity_constraint_violation';
  end if;
  if new.status <> old.status
    and old.status || ' ' || new.status not in ('requested sending', 'requested returned', 'sending paid', 'sending returned')
  then
    raise exception 'a payout cannot change from % to %', old.status, new.status using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

-- Locks the books of a holder in the order of a payout that ends: its row, and then what it posts.
create function lock_holder_of_books(holder uuid) returns void language plpgsql as $$
begin
  perform from payouts where holder_id = holder order by id for update;
  perform pg_advisory_xact_lock(hashtextextended('ledger.holder:' || holder, 0));
end
$$;

create constraint trigger ledger_postings_balanced after insert on ledger_postings
  deferrable initially deferred for each row execute function refuse_unbalanced_postings();
create constraint trigger ledger_journals_filled after insert on ledger_journals
  deferrable initially deferred for each row execute function refuse_empty_journal();
-- Nothing is updated or deleted, whoever asks. An erasure moves a member's rows to an id that belongs to nobody: a row goes only if its copy is
-- there, so that no amount can change, and only from an account that is marked for deletion, so that no income can be moved to another member.
create trigger ledger_journals_append_only before update or truncate on ledger_journals
  for each statement execute function refuse_change();
create trigger ledger_postings_append_only before update or truncate on ledger_postings
  for each statement execute function refuse_change();
create trigger ledger_journals_moved_only before delete on ledger_journals
  for each row execute function refuse_unless_journal_moved();
create trigger ledger_postings_moved_only before delete on ledger_postings
  for each row execute function refuse_unless_posting_moved();
create trigger ledger_postings_checkpointed after insert on ledger_postings
  for each row when (new.account = 'member_income') execute function forget_checkpoint();
create trigger payouts_checkpointed after insert or update of status, ended_at, amount_micros, holder_id on payouts
  for each row when (new.status = 'paid') execute function forget_checkpoint();
create trigger payouts_guarded before update or delete on payouts for each row execute function guard_payout();
create trigger payouts_kept before truncate on payouts for each statement execute function refuse_change();


-- exports

-- Who is in a report of an organisation already, so that nobody is in two of them. It names nobody: a mark is the beginning of a hash of a random id, without the report
-- and without anything that the person has said. After an erasure the id is gone, and the mark says nothing.
create table bias_counted (
  org_id uuid not null references organisations (id) on delete cascade,
  mark bytea not null,
  primary key (org_id, mark)
);

-- How many members of each group were assessed, how precisely, and which questions work differently for them. All organisations see the same count of the
-- same day, so that two of them cannot subtract theirs. One row, replaced at most once a month.
create table bias_populations (
  only_one boolean primary key default true check (only_one),
  released_at timestamptz not null,
  counts jsonb not null
);

-- The reports of an organisation, as they are shown. They name no member, and no number is about fewer than ten people.
create table bias_reports (
  org_id uuid not null references organisations (id) on delete cascade,
  year integer not null,
  number integer not null,
  published_at timestamptz not null,
  counts jsonb not null,
  primary key (org_id, year, number)
);


-- Rights
select grant_learner();

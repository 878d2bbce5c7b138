-- sso

-- The OpenID Connect provider of an organisation.
create table openid_configurations (
  org_id uuid primary key references organisations (id),
  enabled boolean not null,
  issuer text not null,
  client_id text not null,
  -- Encrypted under the master key.
  client_secret bytea not null,
  email_domains text[] not null check (cardinality(email_domains) >= 1),
  default_role text not null check (default_role in ('org_viewer', 'auditor')),
  -- The claim whose values decide the role, and those that make a user an auditor. Null: every user gets the default role.
  role_claim text,
  auditor_values text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  provider_changed_at timestamptz not null
);

-- Whom the provider means by a subject. An address may be given to somebody else; a subject never is (OpenID Connect Core section 5.7).
create table openid_subjects (
  org_id uuid not null references organisations (id),
  subject text not null,
  user_id uuid not null unique references users (id) on delete cascade,
  primary key (org_id, subject)
);

-- Single sign-on: whom an organisation trusts to say who its people are.

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

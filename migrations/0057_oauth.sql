-- The authorization server for agents (docs/decisions/0060-oauth.md).

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

-- What the protocol must remember between two requests: interactions, codes, refresh tokens and what they may do.
create table oauth_artifacts (
  -- SHA-256 of the kind and the id. The id of a code or a refresh token is the secret itself, and is not stored.
  id_hash bytea primary key check (length(id_hash) = 32),
  kind text not null check (kind in ('AuthorizationCode', 'Grant', 'Interaction', 'RefreshToken')),
  -- Null for an interaction, whose user is not known.
  user_id uuid references users (id),
  grant_id uuid,
  payload jsonb not null,
  created_at timestamptz not null,
  consumed_at timestamptz,
  expires_at timestamptz not null
);
create index oauth_artifacts_by_grant on oauth_artifacts (grant_id) where grant_id is not null;
create index oauth_artifacts_by_user on oauth_artifacts (user_id) where user_id is not null;
create index oauth_artifacts_by_expiry on oauth_artifacts (expires_at);

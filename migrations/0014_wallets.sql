-- Credentials on their way into wallets (OpenID for Verifiable Credential Issuance 1.0, pre-authorized code).

create table wallet_offers (
  id uuid primary key,
  member_id uuid not null references members (id),
  -- One offer a credential: a newer one takes the place of the older one, and of the token that the older one was traded for.
  credential_id uuid not null unique references credentials (id) on delete cascade,
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
  check ((token_hash is null) = (token_expires_at is null))
);
create index wallet_offers_by_member on wallet_offers (member_id);
create index wallet_offers_by_end on wallet_offers (greatest(expires_at, token_expires_at));

-- Nonces are signed and not stored; here are those that were used, until they would have expired anyway.
create table wallet_nonces (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index wallet_nonces_by_end on wallet_nonces (expires_at);
